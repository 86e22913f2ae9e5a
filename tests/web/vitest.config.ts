import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', './support/failures_last.ts'],
    projects: [
      { test: { name: 'unit', include: ['unit/**/*.test.ts'] } },
      {
        test: {
          name: 'webhooks', include: ['webhooks/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 60_000, expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        test: {
          name: 'browser', globalSetup: ['support/example_data.ts'], include: ['browser/**/*.spec.ts'], testTimeout: 180_000, hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } }, // a machine under load is slow, not wrong
          fileParallelism: false, // one Chromium at a time
        },
      },
    ],
  },
});
