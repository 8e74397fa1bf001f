import { EnvReader } from '@figbase/kit/config'
import type { FsckOptions } from '../maintenance/fsck.js'
import { defineCommand, refuseWords } from './command.js'

export const fsck = defineCommand({
  name: 'fsck',
  summary: 'compares rows and objects; exit code 1 if there are problems',
  options: {
    verify: { type: 'boolean', description: 'reads all objects and compares their digests' },
    rate: {
      type: 'string',
      value: '<bytes>',
      description: 'with --verify: maximum bytes to read per second (50MiB)',
    },
    json: { type: 'boolean', description: 'prints the report as JSON' },
  },
  example: 'fsck --verify --rate 20MiB',
  requiresSettings: true,
  parse({ words, verify = false, rate, json = false }): FsckOptions {
    refuseWords(words)
    if (!verify && rate !== undefined) throw new Error('--rate requires --verify')
    if (!verify) return { json }
    const reader = new EnvReader({ '--rate': rate })
    const bytesPerSecond = reader.bytes('--rate', '50MiB', 'maximum bytes to read per second')
    const [problem = bytesPerSecond > 0 ? undefined : '--rate must be above 0'] = reader.problems
    if (problem) throw new Error(problem)
    return { json, verify: { bytesPerSecond } }
  },
  run: async (options, host, signal) =>
    (await import('../maintenance/fsck.js')).runFsck(options, host, signal),
})
