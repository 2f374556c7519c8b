// What is said to people for a while, over everything else.

const [brief, lasting] = [document.querySelector('#toast'), document.querySelector('#lost')];

// A dialog lies over everything else.
function toTop(words) { ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body).append(words); }

for (const dialog of document.querySelectorAll('dialog')) dialog.addEventListener('close', () => toTop(lasting));

let timer;
// Says something that has happened.
export function toast(text) {
  brief.textContent = text;
  brief.classList.add('shown');
  toTop(brief);
  clearTimeout(timer);
  timer = setTimeout(() => brief.classList.remove('shown'), 4000);
}

// Says something that is so; null where it is not any more.
export function banner(text) {
  lasting.hidden = text === null;
  if (text === null) return;
  lasting.textContent = text;
  toTop(lasting);
}
