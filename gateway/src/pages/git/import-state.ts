import { type Html, html } from '@figbase/kit/text'
import { type GitImport, GitImportState } from '@figbase/proto/git'
import type { MessageKey, Texts } from '../../texts/texts.js'

const states: Partial<Record<GitImportState, MessageKey>> = {
  [GitImportState.WAITING]: 'git.waiting',
  [GitImportState.RUNNING]: 'git.running',
  [GitImportState.SUCCEEDED]: 'git.succeeded',
  [GitImportState.FAILED]: 'git.failed',
  [GitImportState.CANCELLED]: 'git.cancelled',
}

/** How an import went, as a mark. */
export const stateOf = ({ t }: Texts, { state }: GitImport): Html =>
  html`<span class="mark">${t(states[state] ?? 'git.waiting')}</span>`
