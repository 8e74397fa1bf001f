import type { Kit, Periodic } from '../service/service.js'
import { deleteResults } from './results.js'

const rowsMax = 10_000
const dayMs = 86_400_000

/** A result must be kept for longer than its key: without it, a repetition would have the effect again. */
export const deleteOldResults = (keyRetentionMs: number): Periodic<Kit<unknown>> => ({
  name: 'delete-keyed-results',
  everyMs: 600_000,
  async run({ db }) {
    while ((await deleteResults(db, keyRetentionMs + dayMs, rowsMax)) === rowsMax);
  },
})
