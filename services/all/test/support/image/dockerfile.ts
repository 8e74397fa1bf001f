import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import { repository } from './image.js'

/** What a Dockerfile says of the last stage, and all that its stages run. */
export type Dockerfile = {
  instructions: Instruction[]
  args: Record<string, string>
  from: string[]
  /** The commands of RUN in JSON form; undefined for those in shell form. */
  run: (string[] | undefined)[]
  env: Record<string, string>
  labels: Record<string, string>
  user: string
  ports: number[]
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
}

export function readDockerfile(
  text: string = readFileSync(join(repository, 'deploy/image/Dockerfile'), 'utf8'),
): Dockerfile {
  const instructions = DockerfileParser.parse(text).getInstructions()
  const textOf = (one: Instruction) =>
    (one.getArgumentsContent() ?? '').replace(/\\\n\s*/g, ' ').trim()
  const all = (keyword: string) =>
    instructions.filter((one) => one.getKeyword() === keyword).map(textOf)
  const last = (keyword: string) => all(keyword).at(-1) ?? ''
  return {
    instructions,
    args: Object.assign({}, ...all('ARG').map(pairsOf)),
    from: all('FROM'),
    run: all('RUN').map(listOf),
    env: Object.assign({}, ...all('ENV').map(pairsOf)),
    labels: Object.assign({}, ...all('LABEL').map(pairsOf)),
    user: last('USER'),
    ports: all('EXPOSE').flatMap((ports) => ports.split(/\s+/).map(Number)),
    entrypoint: listOf(last('ENTRYPOINT')) ?? [],
    command: listOf(last('CMD')) ?? [],
    healthcheck: listOf(last('HEALTHCHECK').replace(/^.*CMD\s+/, '')) ?? [],
  }
}

/** The words of a command in JSON form. */
function listOf(text: string): string[] | undefined {
  return text.startsWith('[') ? (JSON.parse(text) as string[]) : undefined
}

function pairsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)
  return Object.fromEntries([...pairs].map(([, name, quoted, plain]) => [name, quoted ?? plain]))
}
