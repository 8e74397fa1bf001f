import type { ReindexOptions } from '../maintenance/reindex.js'
import { defineCommand, refuseWords } from './command.js'

export const reindex = defineCommand({
  name: 'reindex',
  summary: 'builds the search index anew, while Figbase runs',
  options: { 'no-wait': { type: 'boolean', description: 'only requests it' } },
  example: 'reindex --no-wait',
  requiresSettings: true,
  parse({ words, 'no-wait': noWait = false }): ReindexOptions {
    refuseWords(words)
    return { noWait }
  },
  run: async (options, host, signal) =>
    (await import('../maintenance/reindex.js')).runReindex(options, host, signal),
})
