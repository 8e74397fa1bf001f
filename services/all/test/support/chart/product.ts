import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readGatewayConfig } from '@figbase/gateway'
import { EnvReader } from '@figbase/kit/config'
import { readKeys } from '@figbase/kit/keys'
import { readLimitSettings } from '@figbase/kit/limits'
import { readOperationsSettings, readStopSettings } from '@figbase/kit/operations'
import {
  readLogLevel,
  readPeerSettings,
  readProcessSettings,
  readRuntimeSettings,
  readServerCheckTimeout,
} from '@figbase/kit/settings'
import { readTracingSettings } from '@figbase/kit/tracing'
import { services } from '../../../src/all-in-one.js'
import { settingReaders } from '../../../src/settings-table.js'
import { root } from '../readmes/documents.js'

type Reader = (env: EnvReader) => unknown
type Env = Record<string, string | undefined>

const ofEveryProcess: Reader[] = [
  readKeys,
  readPeerSettings,
  readStopSettings,
  readOperationsSettings,
  readTracingSettings,
]

/** The readers of the settings of each process, as its `main.ts` runs them. */
const readersOf = new Map<string, Reader[]>([
  [
    'gateway',
    [...ofEveryProcess, readGatewayConfig, readLogLevel, readLimitSettings, readServerCheckTimeout],
  ],
  ...services.map(({ name, config }): [string, Reader[]] => [
    name,
    [...ofEveryProcess, readProcessSettings, readRuntimeSettings, config],
  ]),
])

/** Those of commands and of all in one process. */
const readersOfAll: Reader[] = [...settingReaders, readPeerSettings]

export type ReadEnvironment = {
  /** The names of all settings that the process reads. */
  names: Set<string>
  problems: string[]
}

/** Reads an environment as a process does; `process` may be the name of a command, too. */
export function readEnvironment(process: string, env: Env = {}): ReadEnvironment {
  const readers = readersOf.get(process) ?? readersOfAll
  const reader = new EnvReader(env)
  for (const read of readers) read(reader)
  return { names: new Set(reader.settings.map(({ name }) => name)), problems: reader.problems }
}

/** The names of the settings that only the process itself declares, not the runtime. */
export function ownSettings(process: string): Set<string> {
  const reader = new EnvReader({})
  services.find(({ name }) => name === process)?.config(reader)
  return new Set(reader.settings.map(({ name }) => name))
}

/** Which processes each process calls, by the clients in the code. */
export function callsInCode(): Record<string, string[]> {
  const peers = peersByRpcService()
  const called = (dir: string) =>
    sourcesIn(dir).flatMap((text) =>
      [...text.matchAll(/[cC]lient\((\w+Service)\b/g)].flatMap(
        ([, name = '']) => peers.get(name) ?? [],
      ),
    )
  const ofKit = called('services/kit/src/service').concat(called('services/kit/src/tasks'))
  const entries = services.map(({ name }): [string, string[]] => [
    name,
    [...called(`services/${name}/src`), ...ofKit],
  ])
  const all: [string, string[]][] = [['gateway', called('gateway/src')], ...entries]
  return Object.fromEntries(all.map(([name, peers]) => [name, [...new Set(peers)].sort()]))
}

/** The process of each RPC service, by the contracts. */
function peersByRpcService(): Map<string, string> {
  const dir = join(root, 'proto', 'figbase')
  return new Map(
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.proto'))
      .flatMap((file) => {
        const process = (file.split('/')[0] ?? '').replaceAll('_', '-')
        // The operations have a contract of their own, which each process implements.
        if (!services.some(({ name }) => name === process)) return []
        const text = readFileSync(join(dir, file), 'utf8')
        return [...text.matchAll(/^service (\w+)/gm)].map(([, name = '']): [string, string] => [
          name,
          process,
        ])
      }),
  )
}

export const sourcesIn = (dir: string): string[] =>
  readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, dir, file), 'utf8'))
