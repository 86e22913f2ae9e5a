import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['unit/**/*.test.ts'] } },
      {
        test: {
          name: 'browser', globalSetup: ['support/example_data.ts'], include: ['browser/**/*.spec.ts'], testTimeout: 60_000, hookTimeout: 60_000,
          fileParallelism: false, // one Chromium at a time
        },
      },
    ],
  },
});
