import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A program that runs in its own process: its name, and the file that Node.js runs. */
export type Program = { name: string; file: string }

const repository = fileURLToPath(new URL('../../../../', import.meta.url))

const program = (name: string, dir: string): Program => ({
  name,
  file: join(repository, dir, 'dist', 'src', 'main.js'),
})

export const gatewayProgram: Program = program('gateway', 'gateway')

export const servicePrograms: Program[] = [
  'identity',
  'catalog',
  'revisions',
  'comments',
  'compute',
  'search',
  'stories-ai',
  'tasks',
].map((name) => program(name, `services/${name}`))

const programs = [gatewayProgram, ...servicePrograms]

export const processNames: string[] = programs.map(({ name }) => name)

export function programOf(name: string): Program {
  const found = programs.find((one) => one.name === name)
  if (!found) throw new Error(`unknown process ${name}`)
  return found
}
