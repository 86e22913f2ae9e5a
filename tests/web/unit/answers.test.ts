// Several answers of one page.
import { expect, it } from 'vitest';
import { answersOf } from '../../../admin/web/src/app/answers.ts';
import { ApiError } from '../../../admin/web/src/app/api.ts';

const asked = { overview: 'overview', tasks: 'tasks' };

const failing = (status: number) => (path: string) =>
  (path === 'overview' ? Promise.reject(new ApiError(status, null)) : Promise.resolve({ path }));

it('keeps the former answer where the server is busy, and is to ask again', async () => {
  const first = await answersOf(asked, {}, (path) => Promise.resolve({ path, former: true }));
  const { answers, isWhole } = await answersOf(asked, first.answers, failing(503));
  expect([first.isWhole, isWhole]).toEqual([true, false]);
  expect([answers.overview, answers.tasks]).toEqual([{ path: 'overview', former: true }, { path: 'tasks' }]);
});

it('does not ask again for what this account may not see', async () => {
  const { answers, isWhole } = await answersOf(asked, {}, failing(403));
  expect([answers.overview, isWhole]).toEqual([undefined, true]);
});
