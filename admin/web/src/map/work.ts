// Work in small steps: a generator that yields after a few milliseconds at most, so that whoever runs it
// can show a frame in between. Without a hurry it is run at once.
export type Work<T> = Generator<void, T>;

export const stepSize = 4096; // simple things that are done in one step

// Some steps of it, for so long.
export function advance<T>(work: Work<T>, milliseconds: number): IteratorResult<void, T> {
  const begin = performance.now();
  let step = work.next();
  while (!step.done && performance.now() - begin < milliseconds) step = work.next();
  return step;
}

export function finish<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
