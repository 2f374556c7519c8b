// What mouse, finger and keyboard do in the grid.

export function listen(grid) {
  const cellAt = (event) => event.target.closest?.('.cell') ?? null;
  grid.list.addEventListener('click', (event) => {
    const cell = cellAt(event);
    if (!cell || grid.wasHeld) return;
    grid.active = cell.index;
    grid.updateTabStop();
    grid.on.activate(cell.index, event);
  });
  grid.list.addEventListener('focusin', (event) => {
    const cell = cellAt(event);
    if (!cell) return;
    grid.active = cell.index;
    grid.updateTabStop();
  });
  const hover = (event) => {
    const cell = cellAt(event);
    if (!cell || event.pointerType !== 'mouse' || !grid.opener.hidden && grid.opener.index === cell.index) return;
    const frame = grid.layout.frame(cell.index);
    grid.opener.hidden = false;
    grid.opener.index = cell.index;
    grid.opener.style.transform = `translate(${frame.x + frame.width - 34}px, ${frame.y + frame.height - 34}px)`;
  };
  // It is over a cell also where that came to it.
  for (const name of ['pointerover', 'pointermove']) grid.list.addEventListener(name, hover);
  grid.root.addEventListener('pointerleave', () => { grid.opener.hidden = true; });
  grid.opener.addEventListener('click', () => grid.on.open(grid.opener.index));
  // A finger that stays opens what it is on.
  grid.list.addEventListener('pointerdown', (event) => {
    const cell = cellAt(event);
    grid.wasHeld = false;
    if (!cell || event.pointerType === 'mouse') return;
    grid.holdTimer = setTimeout(() => {
      grid.wasHeld = true;
      grid.on.open(cell.index);
    }, 450);
  });
  for (const name of ['pointerup', 'pointercancel', 'pointermove']) {
    grid.list.addEventListener(name, () => clearTimeout(grid.holdTimer));
  }
  grid.list.addEventListener('keydown', (event) => key(grid, event));
}

// What a key does: Enter opens, the space bar picks, with Shift what is gone over is picked.
function key(grid, event) {
  const { layout, active } = grid;
  if (!layout.count || event.ctrlKey || event.metaKey || event.altKey) return;
  let next = null;
  if (event.key.startsWith('Arrow')) next = layout.neighbour(active, event.key);
  else if (event.key === 'Home') next = 0;
  else if (event.key === 'End') next = layout.count - 1;
  else if (event.key === 'PageDown' || event.key === 'PageUp') {
    const rows = Math.max(1, Math.floor(grid.height / layout.frame(active).height) - 1);
    next = active;
    for (let row = 0; row < rows; row += 1) {
      next = layout.neighbour(next, event.key === 'PageDown' ? 'ArrowDown' : 'ArrowUp');
    }
  } else if (event.key === 'Enter') grid.on.open(active);
  else if (event.key === ' ') grid.on.activate(active, event);
  else return;
  event.preventDefault();
  if (next === null || next === active) return;
  grid.focus(next);
  if (event.shiftKey) grid.on.extend(next, active);
  else grid.on.leave();
}
