// All that people read, in every language of the page.

const english = {
  albums: 'Albums',
  library: 'Library',
  folders: 'Folders',
  close: 'Close',
  back: 'Back',
  cancel: 'Cancel',
  choose: (n) => (n > 1 ? `Choose ${n}` : 'Choose'),
  use: 'Use photo',
  keepCrop: 'Keep crop',
  photos: (n) => `${n.toLocaleString('en')} ${n === 1 ? 'photo' : 'photos'}`,
  picked: (n, limit) => (limit ? `${n} of ${limit} picked` : `${n} picked`),
  pickedNone: (limit) => (limit === 1 ? 'Pick a photo' : limit ? `Pick up to ${limit}` : 'Pick photos'),
  atLeast: (n) => `Pick at least ${n}`,
  everything: 'All types',
  type: 'Type',
  types: {
    image: 'Photos', video: 'Videos', live: 'Live Photos', panorama: 'Panoramas', screenshot: 'Screenshots',
    animated: 'Animated', raw: 'RAW',
  },
  kinds: { photo: 'Photo', video: 'Video', live: 'Live Photo', panorama: 'Panorama', screenshot: 'Screenshot',
    animated: 'Animated', raw: 'RAW' },
  smart: ['Recents', 'Videos', 'Live Photos', 'Panoramas', 'Screenshots', 'Animated', 'RAW'],
  pickMoment: (day) => `Pick all of ${day}`,
  pickAll: 'Pick all',
  dropAll: 'Drop all',
  place: (number, count) => `${number} of ${count}`,
  pickedAs: (number) => `picked as number ${number}`,
  isPicked: 'picked',
  pick: 'Pick',
  drop: 'Drop',
  show: 'Show large',
  crop: 'Crop',
  cropHelp: 'Drag to move, scroll or pinch to zoom. Arrow keys move, plus and minus zoom, R turns.',
  cropArea: 'Part of the picture that is kept',
  zoom: 'Zoom',
  turn: 'Turn',
  reset: 'Reset',
  previous: 'Previous',
  next: 'Next',
  scrubber: 'Date',
  smaller: 'Smaller thumbnails',
  larger: 'Larger thumbnails',
  loading: 'Looking through the photos …',
  partial: 'Still looking …',
  empty: 'No photos here',
  emptyHint: 'Photos that are put into the folder appear by themselves.',
  emptyType: 'Nothing of this type in this album.',
  failed: 'The photos cannot be read',
  lost: 'The connection to cameo is lost. Trying again …',
  refusals: {
    limitReached: (limit) => (limit === 1 ? 'Only one can be picked.' : `No more than ${limit} can be picked.`),
    tooFew: (limit) => `At least ${limit} must be picked.`,
    tooMany: (limit) => `No more than ${limit} can be picked; drop some first.`,
    notOffered: () => 'This photo is not there any more.',
    finished: () => 'The picking is over.',
    changed: () => 'This photo has changed since it was cropped.',
    invalidGeometry: () => 'This photo cannot be cropped: its size is unknown.',
    other: () => 'That was not possible.',
  },
  vanished: (n) => (n === 1 ? 'A picked photo is gone from the folder.' : `${n} picked photos are gone from the folder.`),
  brokenPicture: 'cannot be shown',
  endPicked: 'Done',
  endPickedHint: (n) => `${n === 1 ? 'One photo was' : `${n} photos were`} handed over. You can close this window.`,
  endCancelled: 'Cancelled',
  endCancelledHint: 'Nothing was picked. You can close this window.',
  selection: 'Picked, in order',
  moveHint: 'Alt with the arrow keys moves it in the order, Delete drops it.',
};

const japanese = {
  albums: 'アルバム',
  library: 'ライブラリ',
  folders: 'フォルダ',
  close: '閉じる',
  back: '戻る',
  cancel: 'キャンセル',
  choose: (n) => (n > 1 ? `${n}枚を選択` : '選択'),
  use: 'この写真を使う',
  keepCrop: '切り抜きを保存',
  photos: (n) => `${n.toLocaleString('ja')}枚`,
  picked: (n, limit) => (limit ? `${limit}枚中${n}枚を選択` : `${n}枚を選択`),
  pickedNone: (limit) => (limit === 1 ? '写真を選んでください' : limit ? `${limit}枚まで選べます` : '写真を選んでください'),
  atLeast: (n) => `${n}枚以上選んでください`,
  everything: 'すべての種類',
  type: '種類',
  types: {
    image: '写真', video: 'ビデオ', live: 'Live Photos', panorama: 'パノラマ', screenshot: 'スクリーンショット',
    animated: 'アニメーション', raw: 'RAW',
  },
  kinds: { photo: '写真', video: 'ビデオ', live: 'Live Photo', panorama: 'パノラマ', screenshot: 'スクリーンショット',
    animated: 'アニメーション', raw: 'RAW' },
  smart: ['最近の項目', 'ビデオ', 'Live Photos', 'パノラマ', 'スクリーンショット', 'アニメーション', 'RAW'],
  pickMoment: (day) => `${day}をすべて選択`,
  pickAll: 'すべて選択',
  dropAll: 'すべて解除',
  place: (number, count) => `${count}枚中${number}枚目`,
  pickedAs: (number) => `${number}番目に選択`,
  isPicked: '選択済み',
  pick: '選択',
  drop: '選択解除',
  show: '大きく表示',
  crop: '切り抜き',
  cropHelp: 'ドラッグで移動、スクロールまたはピンチで拡大。矢印キーで移動、＋と−で拡大縮小、Rで回転。',
  cropArea: '残す部分',
  zoom: '拡大',
  turn: '回転',
  reset: 'リセット',
  previous: '前へ',
  next: '次へ',
  scrubber: '日付',
  smaller: 'サムネールを小さく',
  larger: 'サムネールを大きく',
  loading: '写真を読み込んでいます…',
  partial: '読み込み中…',
  empty: '写真がありません',
  emptyHint: 'フォルダに写真を入れると自動的に表示されます。',
  emptyType: 'このアルバムにこの種類の項目はありません。',
  failed: '写真を読み込めません',
  lost: 'cameoとの接続が切れました。再接続しています…',
  refusals: {
    limitReached: (limit) => `選べるのは${limit}枚までです。`,
    tooFew: (limit) => `${limit}枚以上選んでください。`,
    tooMany: (limit) => `選べるのは${limit}枚までです。いくつか解除してください。`,
    notOffered: () => 'この写真はもうありません。',
    finished: () => '選択は終了しています。',
    changed: () => '切り抜いた後に写真が変更されました。',
    invalidGeometry: () => '大きさが不明なため切り抜けません。',
    other: () => '実行できませんでした。',
  },
  vanished: (n) => `選択した写真${n}枚がフォルダからなくなりました。`,
  brokenPicture: '表示できません',
  endPicked: '完了',
  endPickedHint: (n) => `${n}枚の写真を渡しました。このウインドウは閉じてかまいません。`,
  endCancelled: 'キャンセルしました',
  endCancelledHint: '何も選択されていません。このウインドウは閉じてかまいません。',
  selection: '選択した写真（順番どおり）',
  moveHint: 'Altと矢印キーで順番を変更、Deleteで解除。',
};

const asked = new URLSearchParams(location.search).get('lang') ?? navigator.language ?? 'en';
export const language = asked.toLowerCase().startsWith('ja') ? 'ja' : 'en';
export const strings = language === 'ja' ? japanese : english;
export const tables = { english, japanese };

const dayFormat = new Intl.DateTimeFormat(language, {
  weekday: 'short', year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC',
});
const monthFormat = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });

// The clock of the place where it was taken, whatever the reader's is.
const civil = (text) => new Date(`${text.slice(0, 19)}${text.length > 10 ? '' : 'T00:00:00'}Z`);

// Formatting a date takes longer than making a cell, and the same dates come again and again.
function remembering(make, length) {
  const known = new Map();
  return (text) => {
    const key = text.slice(0, length);
    let title = known.get(key);
    if (title === undefined) {
      if (known.size > 5000) known.clear();
      title = make(key);
      known.set(key, title);
    }
    return title;
  };
}

export const dayTitle = remembering((day) => dayFormat.format(civil(day)), 10);
export const monthTitle = remembering((day) => monthFormat.format(civil(`${day}-01`)), 7);
export const timeTitle = remembering((date) => timeFormat.format(civil(`${date}:00`)), 16);

export function placeTitle(place) {
  if (!place) return '';
  const [latitude, longitude] = place;
  const part = (value, positive, negative) => `${Math.abs(value).toFixed(2)}° ${value < 0 ? negative : positive}`;
  return `${part(latitude, 'N', 'S')}, ${part(longitude, 'E', 'W')}`;
}

export function refusalText(refusal) {
  return (strings.refusals[refusal.reason] ?? strings.refusals.other)(refusal.limit ?? 0);
}
