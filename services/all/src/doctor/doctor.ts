import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inTime, reachDatabase, withoutCredentials } from '@figbase/kit'
import type { Host } from '../main.js'
import { builtIn } from '../open-database.js'
import { runningUrl } from '../postgres/address.js'
import { databaseName } from '../postgres/embedded.js'
import { launcherService } from '../reach-database.js'
import { readSettings, type Settings } from '../settings.js'
import { checkCertificate } from './certificate.js'
import { checkDatabase } from './database.js'
import { type Finding, ok, problem, reasonOf } from './finding.js'
import {
  checkDataDir,
  checkDisk,
  checkMailDir,
  checkNode,
  checkPort,
  checkRenderers,
} from './machine.js'
import { neighbourChecks } from './neighbours.js'
import { serverChecks } from './servers.js'
import { checkSettings } from './settings.js'

export type DoctorCommand = { name: 'doctor'; json: boolean }

type Check = [name: string, check: () => Promise<Finding[] | Finding> | Finding[] | Finding]

/** Looks at settings, servers and this machine, and changes nothing; false when there are problems. */
export async function runDoctor({ json }: DoctorCommand, host: Host): Promise<boolean> {
  const found = await host.progress('Looking', () => examine(host))
  const findings = found.map((finding) => ({
    ...finding,
    text: withoutCredentials(finding.text),
    ...(finding.remedy && { remedy: withoutCredentials(finding.remedy) }),
  }))
  console.log(json ? JSON.stringify(findings, undefined, 2) : findings.map(lineOf).join('\n'))
  return findings.every(({ level }) => level !== 'problem')
}

async function examine({ env, cwd, root }: Host): Promise<Finding[]> {
  const ofSettings = checkSettings(env)
  const [node] = [checkNode()]
  // With settings that cannot be read, nothing that they name can be asked.
  if (ofSettings.some(({ level }) => level === 'problem')) return [node, ...ofSettings]
  const settings = readSettings(env, cwd, root)
  const { dataDir, serverCheckTimeoutMs: timeoutMs } = settings
  const checks: Check[] = [
    ['FIGBASE_DATA_DIR', () => checkDataDir(settings)],
    ['MAIL_DIR', () => checkMailDir(env.MAIL_DIR ?? '')],
    ['disk', () => checkDisk(settings)],
    ['PORT', () => checkPort(settings)],
    ['renderers', () => checkRenderers(env.RENDERERS_PATH ?? '')],
    ['RPC_TLS_CERT_FILE', () => checkCertificate(env.RPC_TLS_CERT_FILE ?? '')],
    ['DATABASE_URL', () => databaseOf(settings, env)],
    ...serverChecks({ env, dataDir, timeoutMs }),
    ...neighbourChecks(env, timeoutMs),
  ]
  const answers = await Promise.all(
    checks.map(async ([name, check]) => {
      const bounded = inTime(3 * timeoutMs, Promise.resolve().then(check))
      return bounded.catch((error) =>
        problem(name, reasonOf(error), 'Correct the setting, or what it names.'),
      )
    }),
  )
  return [node, ...ofSettings, ...answers.flat()]
}

/** Its own PostgreSQL is asked only while it runs: it is started, and looked after, with Figbase. */
async function databaseOf(
  settings: Settings,
  env: NodeJS.ProcessEnv,
): Promise<Finding[] | Finding> {
  const { databaseUrl, dataDir, serverCheckTimeoutMs: timeoutMs } = settings
  const isRunning = await stat(join(dataDir, 'postgres', 'postmaster.pid')).catch(() => undefined)
  if (!databaseUrl && !isRunning) return ok('DATABASE_URL', 'PostgreSQL comes with Figbase')
  const of = databaseUrl
    ? (service = launcherService) => reachDatabase(settings, service, timeoutMs)
    : builtIn(await runningUrl(dataDir, databaseName))
  const connectionsMax = Number(env.DATABASE_CONNECTIONS_MAX || 10)
  const migratesAtStart = env.MIGRATE_AT_START !== 'false'
  return checkDatabase({ of, timeoutMs, env, connectionsMax, migratesAtStart })
}

const marks = { ok: '✓', warning: '!', problem: '✗' }

function lineOf({ name, level, text, remedy }: Finding): string {
  return `${marks[level]} ${name}: ${text}${remedy ? `\n    ${remedy}` : ''}`
}
