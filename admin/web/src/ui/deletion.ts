// Which dialog asks before entries of a section are deleted.
import type { Section } from '../app/section.ts';
import { DeleteDialog } from './delete_dialog.tsx';
import { DeleteRulesDialog } from './delete_rules_dialog.tsx';

export const deletionDialog = (section: Section) => (section.runsRules ? DeleteRulesDialog : DeleteDialog);
