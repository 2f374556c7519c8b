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
    // Once all orders given so far have their answers.
    this.settled = Promise.resolve();
  }

  setRules({ mode, limit, minimum, isOrdered, mask }) {
    Object.assign(this, { canPick: mode === 'pick', limit, minimum, isOrdered, mask: mask ?? null });
  }

  get count() { return this.ids.length; }
  orderOf(id) { return this.orders.get(id) ?? null; }
  isEdited(id) { return this.edited.has(id); }

  take(message) {
    if (!message || message.version < this.version) return;
    const gone = this.version < 0 ? 0 : message.vanished - this.vanished;
    this.version = message.version;
    this.vanished = message.vanished;
    this.ids = message.ids;
    this.versions = message.versions;
    this.isVideo = message.isVideo;
    this.orders = new Map(message.ids.map((id, order) => [id, order]));
    this.edited = new Set(message.edited);
    this.cannotFinish = message.cannotFinish ?? null;
    this.onChange();
    if (gone > 0) this.onVanished(gone);
    if (message.refusal) this.onRefusal(message.refusal);
  }

  async refresh() {
    if (this.canPick) this.take(await api.selection());
  }

  toggle(id) { return this.order(() => api.pick({ action: 'toggle', ids: [id] })); }
  drop(id) { return this.order(() => api.pick({ action: 'drop', ids: [id] })); }
  range(list, from, to) { return this.order(() => api.pick({ action: 'pick', list, from, to })); }
  section(list, section) { return this.order(() => api.section({ action: 'toggle', list, section })); }
  move(from, to) { return this.order(() => api.move(from, to)); }

  // One order goes after another, as they were given: requests that go side by side may arrive in any order.
  order(ask) {
    this.settled = this.settled.then(async () => {
      try {
        this.take(await ask());
      } catch (error) {
        this.onRefusal(error.answer?.reason ? error.answer : { reason: 'other' });
        if (error.status === 410) this.onOutdated();
      }
    });
    return this.settled;
  }
}
