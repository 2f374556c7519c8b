// What the page says of itself: of the list on show, or why there is none, and of its buttons.
import { element } from './dom.js';
import { strings } from './strings.js';

const find = (selector) => document.querySelector(selector);

// `state`: {list, album, type}, the list on show and what it is of.
export function describeList(state, albums, grid) {
  const { list } = state;
  find('#title').textContent = albums.title(state.album);
  const phase = list.library.phase;
  find('#subtitle').textContent = [
    phase === 'loading' ? strings.loading : phase === 'failed' && list.count === 0 ? null
      : strings.photos(list.count, list.videos),
    phase === 'partial' ? strings.partial : null,
  ].filter(Boolean).join(' · ');
  grid.list.setAttribute('aria-label', albums.title(state.album));
  grid.list.hidden = list.count === 0;
  const notice = find('#notice');
  const isEmpty = list.count === 0;
  notice.hidden = !isEmpty;
  notice.className = phase;
  if (!isEmpty) return;
  const [title, hint] = phase === 'failed' ? [strings.failed, strings.failedHint]
    : phase === 'loading' || phase === 'partial' ? [strings.loading, ''] : [strings.empty, state.type ? strings.emptyType : strings.emptyHint];
  notice.replaceChildren(element('h2', '', {}, title), element('p', '', {}, hint));
  // In the system's words, for whoever can mend it.
  if (phase === 'failed') notice.append(element('p', 'reason', { lang: 'en' }, list.library.reason ?? ''));
}

// The types that there are something of, to choose from.
export function fillTypes(state, albums) {
  const select = find('#type');
  const options = [['', strings.everything]];
  const whole = (albums.types.image ?? 0) + (albums.types.video ?? 0);
  for (const [type, count] of Object.entries(albums.types)) {
    if (count > 0 && count < whole || type === state.type) options.push([type, strings.types[type]]);
  }
  select.replaceChildren(...options.map(([value, title]) => new Option(title, value, false, value === (state.type ?? ''))));
  select.hidden = options.length < 2;
}

// What buttons say to those who do not see them.
export function label(grid) {
  find('#albums').setAttribute('aria-label', strings.albums);
  find('#albums [data-close]').setAttribute('aria-label', strings.close);
  find('#menu').setAttribute('aria-label', strings.albums);
  find('#type').setAttribute('aria-label', strings.type);
  for (const [id, text] of [['smaller', strings.smaller], ['larger', strings.larger]]) {
    find(`#${id}`).setAttribute('aria-label', text);
    find(`#${id}`).title = text;
  }
  grid.opener.setAttribute('aria-label', strings.show);
  grid.opener.title = strings.show;
}
