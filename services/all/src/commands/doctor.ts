import type { DoctorOptions } from '../doctor/doctor.js'
import { defineCommand, refuseWords } from './command.js'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'checks settings, servers and this machine, and suggests fixes',
  options: { json: { type: 'boolean', description: 'prints the report as JSON' } },
  example: 'doctor --json',
  parse({ words, json = false }): DoctorOptions {
    refuseWords(words)
    return { json }
  },
  run: async (options, host) => (await import('../doctor/doctor.js')).runDoctor(options, host),
})
