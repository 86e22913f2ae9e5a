// Says at the very end which tests failed and why: of a long run, others keep the end alone.
import type { Reporter, TestModule } from 'vitest/node';

const LONGEST = 400;

export default class FailuresLast implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    for (const module of modules)
      for (const test of module.children.allTests('failed')) {
        const reasons = (test.result().errors ?? []).map(({ message, actual }) => `${message} ${actual ?? ''}`.replaceAll(/\s+/g, ' '));
        console.log(`failed: ${module.moduleId.split('/').pop()}: ${test.fullName}: ${reasons.join('; ').slice(0, LONGEST)}`);
      }
  }
}
