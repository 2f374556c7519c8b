// Dates, times and numbers as people write them. What Intl says, in the two languages of the page and without the time
// that it takes to begin with; tested against it.

const english = {
  weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  months: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
    'December'],
  day: ({ weekday, year, month, day }) => `${english.weekdays[weekday]}, ${english.months[month]} ${day}, ${year}`,
  month: ({ year, month }) => `${english.months[month].slice(0, 3)} ${year}`,
  time: ({ hour, minute }) => `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`,
};

const japanese = {
  weekdays: ['日', '月', '火', '水', '木', '金', '土'],
  day: ({ weekday, year, month, day }) => `${year}年${month + 1}月${day}日(${japanese.weekdays[weekday]})`,
  month: ({ year, month }) => `${year}年${month + 1}月`,
  time: ({ hour, minute }) => `${hour}:${minute}`,
};

// The clock of the place where it was taken, whatever the reader's is.
function parts(text) {
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)].map(Number);
  return {
    year, month: month - 1, day, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
    hour: Number(text.slice(11, 13)), minute: text.slice(14, 16),
  };
}

// The formats of a language, of dates that are written as `2026-05-01T10:00:00+09:00` or begin so.
export function dates(language) {
  const table = language === 'ja' ? japanese : english;
  return {
    dayTitle: (date) => table.day(parts(date)),
    monthTitle: (date) => table.month(parts(date)),
    timeTitle: (date) => table.time(parts(date)),
  };
}

// A whole number with its thousands apart.
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
