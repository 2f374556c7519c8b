// What the server is asked. It decides everything; the page shows it.

async function ask(path, options) {
  const response = await fetch(path, { credentials: 'same-origin', ...options });
  const isJSON = response.headers.get('content-type') === 'application/json';
  const answer = isJSON ? await response.json() : null;
  if (!response.ok) throw Object.assign(new Error(`${path}: ${response.status}`), { status: response.status, answer });
  return answer;
}

const post = (path, body) => ask(path, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
});

export const api = {
  session: () => ask('/api/session'),
  selection: () => ask('/api/selection'),
  albums: () => ask('/api/albums'),
  assets: (list, from) => ask(`/api/assets?list=${list}&from=${from}`),
  // Those of a list's thumbnails that the server has at hand: {places, pictures}.
  thumbnails: (list, from, count, size) => (
    ask(`/api/thumbnails?list=${list}&from=${from}&count=${count}&size=${size}`)),
  list({ album, type, keep = [], detail, was }) {
    const query = new URLSearchParams();
    if (album) query.set('album', album);
    if (type) query.set('type', type);
    if (keep.length) query.set('keep', keep.join(','));
    if (detail) query.set('detail', detail);
    if (was) query.set('was', was);
    return ask(`/api/list?${query}`);
  },
  pick: (order) => post('/api/pick', order),
  section: (order) => post('/api/section', order),
  move: (from, to) => post('/api/move', { from, to }),
  crop: (id, viewport) => ask(`/api/crop/${id}?viewport=${viewport.width},${viewport.height}`),
  setCrop: (order) => post('/api/crop', order),
  finish: () => post('/api/finish', {}),
  cancel: () => post('/api/cancel', {}),
};

export const address = (kind, asset, size) => `/${kind}/${asset.id}/${size}?v=${asset.version}`;

// Calls `on[event](data)` with what happens, `on.lost` and `on.hello` as the connection goes and comes, and `on.closed`
// where the browser does not try again, as it was answered by something else than events.
export function follow(on) {
  const source = new EventSource('/api/events');
  for (const name of ['hello', 'library', 'selection', 'finished']) {
    source.addEventListener(name, (event) => on[name](event.data));
  }
  source.addEventListener('error', () => (source.readyState === EventSource.CLOSED ? on.closed() : on.lost()));
  return source;
}
