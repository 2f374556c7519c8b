// Small helpers for making elements.

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

// An element of a class with what is in it; `options` are properties, `aria-…` among them.
export function element(tag, className, options = {}, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const [name, value] of Object.entries(options)) {
    if (name.startsWith('aria-') || name === 'role') made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

export function iconButton(name, label, onclick) {
  return element('button', 'icon', { 'aria-label': label, title: label, onclick }, icon(name));
}

// Gives an element its children. Those that it has stay in place as far as their order allows: what is taken out, and be
// it to be put back, loses the focus and the click that has begun on it.
export function setChildren(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, place) => {
    if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] ?? null);
  });
}

// A small picture beside words that say what it is. A sign where it cannot be shown, or where there is none, as of a
// video.
export function smallPicture(source) {
  const sign = (name) => element('span', `sign ${name}`);
  if (source === null) return sign('film');
  const image = element('img', '', { alt: '', draggable: false, loading: 'lazy' });
  image.onerror = () => image.replaceWith(sign('broken'));
  image.src = source;
  return image;
}

export const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
