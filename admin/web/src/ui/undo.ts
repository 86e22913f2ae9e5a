// Which transaction somebody wants to undo, and that one was undone: what pages share about it.
import { signal } from '@preact/signals';
import { mayAs } from '../app/api.ts';

export const toUndo = signal<number | null>(null); // an LSN; its dialog is open
export const undone = signal(0); // counts; what a page has loaded may be old then

export const mayUndo = () => mayAs('admin');
export const askUndo = (lsn: number): void => { toUndo.value = lsn; };
