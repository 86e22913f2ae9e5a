// Loads that overlap: none is shown after one that was asked for later, and none that is not wanted any more.
// One that was overtaken by another of the same is still shown when it comes first, so that what changes
// all the time is seen, too. No page here.
export type Load<T> = (stop: AbortSignal) => Promise<T>;

export class Loads<T> {
  private key: unknown;
  private load: Load<T>;
  private stop = new AbortController();
  private asked = 0;
  private shown = 0; // the number of the newest that is shown

  constructor(key: unknown, load: Load<T>) {
    this.key = key;
    this.load = load;
  }

  // What is wanted from now on. With another key what was asked for before is given up.
  want(key: unknown, load: Load<T>): void {
    this.load = load;
    if (key === this.key) return;
    this.key = key;
    this.stop.abort();
    this.stop = new AbortController();
  }

  async run(show: (value: T) => void, fail: (error: unknown) => void): Promise<void> {
    this.asked += 1;
    const number = this.asked;
    const { signal } = this.stop;
    const isInTime = () => {
      if (signal.aborted || number < this.shown) return false;
      this.shown = number;
      return true;
    };
    try {
      const value = await this.load(signal);
      if (isInTime()) show(value);
    } catch (error) {
      if (isInTime()) fail(error);
    }
  }
}
