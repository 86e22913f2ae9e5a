// What a page asks for in several parts.
import { ApiError, get } from './api.ts';

// A part that could not be loaded is as it was before, or left out: the others are worth looking at all
// the same. `isWhole`: no answer is missing that may come a little later.
export async function answersOf<T extends Record<string, unknown>>(asked: Record<string, string>, before: Partial<T>,
  load: (path: string) => Promise<unknown> = get): Promise<{ answers: T; isWhole: boolean }> {
  let isWhole = true;
  const answers = Object.entries(asked).map(async ([name, path]) => [name, await load(path).catch((error: unknown) => {
    if (!(error instanceof ApiError) || isPassing(error.status)) isWhole = false;
    return before[name];
  })] as const);
  return { answers: Object.fromEntries(await Promise.all(answers)) as T, isWhole };
}

const isPassing = (status: number) => status === 0 || status === 429 || status >= 500;
