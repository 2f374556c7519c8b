// What is picked, as the server tells it.
import { api } from './api.js';

export class Selection {
  constructor() {
    this.version = -1;
    this.ids = [];
    this.orders = new Map();
    this.edited = new Set();
    this.cannotFinish = null;
    this.onChange = () => {};
    this.onRefusal = () => {};
    this.onOutdated = () => {};
    this.onVanished = () => {};
    // Where a range begins.
    this.origin = null;
    // Once all orders given so far have their answers; and how many had none, or a refusal for one.
    this.settled = Promise.resolve();
    this.failures = 0;
  }

  setRules({ mode, limit, minimum, isOrdered, mask }) {
    Object.assign(this, { canPick: mode === 'pick', limit, minimum, isOrdered, mask: mask ?? null });
  }

  get count() { return this.ids.length; }
  orderOf(id) { return this.orders.get(id) ?? null; }
  isEdited(id) { return this.edited.has(id); }

  take(message) {
    if (!message) return;
    // Overtaken by news of another window, it tells nothing but what was refused.
    if (message.version >= this.version) this.show(message);
    if (message.refusal) this.onRefusal(message.refusal);
  }

  show(message) {
    const gone = this.version < 0 ? 0 : message.vanished - this.vanished;
    this.version = message.version;
    this.vanished = message.vanished;
    const versions = new Map(message.ids.map((id, order) => [id, message.versions[order]]));
    const isUncropped = message.edited.length < this.edited.size && this.ids.some((id, order) => (
      this.edited.has(id) && !message.edited.includes(id) && versions.has(id) && versions.get(id) !== this.versions[order]));
    this.ids = message.ids;
    this.versions = message.versions;
    this.isVideo = message.isVideo;
    this.orders = new Map(message.ids.map((id, order) => [id, order]));
    this.edited = new Set(message.edited);
    this.cannotFinish = message.cannotFinish ?? null;
    this.onChange();
    if (gone > 0) this.onVanished(gone);
    if (isUncropped) this.onRefusal({ reason: 'changed' });
  }

  async refresh() {
    if (this.canPick) this.take(await api.selection());
  }

  toggle(id) { return this.order(() => api.pick({ action: 'toggle', ids: [id] })); }
  pick(id) { return this.order(() => api.pick({ action: 'pick', ids: [id] })); }
  drop(id) { return this.order(() => api.pick({ action: 'drop', ids: [id] })); }
  range(list, from, to) { return this.order(() => api.pick({ action: 'pick', list, from, to })); }
  section(list, section, action) { return this.order(() => api.section({ action, list, section })); }
  // By so many places, or to where another is: where they are is told by the orders before.
  move(id, step) { return this.moveTo(id, () => this.orderOf(id) + step); }
  moveToPlaceOf(id, other) { return this.moveTo(id, () => this.orderOf(other)); }

  moveTo(id, place) {
    return this.order(() => {
      const [from, to] = [this.orderOf(id), place()];
      const isMove = from !== null && to !== null && from !== to && to >= 0 && to < this.count;
      return isMove ? api.move(from, to) : null;
    });
  }

  // One order goes after another, as they were given: requests that go side by side may arrive in any order.
  order(ask) {
    this.settled = this.settled.then(async () => {
      try {
        this.take(await ask());
      } catch (error) {
        this.failures += 1;
        this.onRefusal(error.answer?.reason ? error.answer : { reason: 'other' });
        if (error.status === 410) this.onOutdated();
      }
    });
    return this.settled;
  }
}
