// Made once for a run of the tests: the data that each file of tests begins with a copy of.
import type { TestProject } from 'vitest/node';
import { exampleData } from './node.ts';

declare module 'vitest' {
  interface ProvidedContext {
    example: string;
  }
}

export default function setup(project: TestProject): () => void {
  const data = exampleData();
  project.provide('example', data.folder);
  return () => data.remove();
}
