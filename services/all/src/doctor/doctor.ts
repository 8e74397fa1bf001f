import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { withoutCredentials } from '@figbase/kit/config'
import { resolveDatabase } from '@figbase/kit/db'
import { withTimeout } from '@figbase/kit/timing'
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
  checkChromium,
  checkDataDir,
  checkDisk,
  checkGit,
  checkMailDir,
  checkNode,
  checkPort,
  checkRenderers,
} from './machine.js'
import { peerChecks } from './peers.js'
import { serverChecks } from './servers.js'
import { checkSettings } from './settings.js'

export type DoctorOptions = { json: boolean }

type Check = [name: string, check: () => Promise<Finding[] | Finding> | Finding[] | Finding]

/** Checks settings, servers and this machine without changes; false when there are problems. */
export async function runDoctor({ json }: DoctorOptions, host: Host): Promise<boolean> {
  const found = await host.progress('Checking', () => examine(host))
  const findings = found.map((finding) => ({
    ...finding,
    text: withoutCredentials(finding.text),
    ...(finding.remedy && { remedy: withoutCredentials(finding.remedy) }),
  }))
  console.log(json ? JSON.stringify(findings, undefined, 2) : findings.map(lineOf).join('\n'))
  return findings.every(({ level }) => level !== 'problem')
}

async function examine({ env, cwd, root }: Host): Promise<Finding[]> {
  const settingFindings = checkSettings(env)
  const node = checkNode()
  // Invalid settings prevent the checks of what they refer to.
  if (settingFindings.some(({ level }) => level === 'problem')) return [node, ...settingFindings]
  const settings = readSettings(env, cwd, root)
  const { dataDir, serverCheckTimeoutMs: timeoutMs } = settings
  const checks: Check[] = [
    ['FIGBASE_DATA_DIR', () => checkDataDir(settings)],
    ['MAIL_DIR', () => checkMailDir(env.MAIL_DIR ?? '')],
    ['disk', () => checkDisk(settings)],
    ['PORT', () => checkPort(settings)],
    ['renderers', () => checkRenderers(env.RENDERERS_PATH ?? '')],
    ['git', () => checkGit(env.GIT_PATH ?? '')],
    ['chromium', () => checkChromium(env)],
    ['RPC_TLS_CERT_FILE', () => checkCertificate(env.RPC_TLS_CERT_FILE ?? '')],
    ['DATABASE_URL', () => checkDatabaseOf(settings, env)],
    ...serverChecks({ env, dataDir, timeoutMs }),
    ...peerChecks(env, timeoutMs),
  ]
  const answers = await Promise.all(
    checks.map(async ([name, check]) => {
      const bounded = withTimeout(3 * timeoutMs, Promise.resolve().then(check))
      return bounded.catch((error) =>
        problem(name, reasonOf(error), 'Correct the setting, or what it refers to.'),
      )
    }),
  )
  return [node, ...settingFindings, ...answers.flat()]
}

/** The built-in PostgreSQL is checked only while it runs: it starts with Figbase. */
async function checkDatabaseOf(
  settings: Settings,
  env: NodeJS.ProcessEnv,
): Promise<Finding[] | Finding> {
  const { databaseUrl, dataDir, serverCheckTimeoutMs: timeoutMs } = settings
  const isRunning = await stat(join(dataDir, 'postgres', 'postmaster.pid')).catch(() => undefined)
  if (!databaseUrl && !isRunning)
    return ok('DATABASE_URL', 'the built-in PostgreSQL is not running; it starts with Figbase')
  const of = databaseUrl
    ? (service = launcherService) => resolveDatabase(settings, service, timeoutMs)
    : builtIn(await runningUrl(dataDir, databaseName))
  const connectionsMax = Number(env.DATABASE_CONNECTIONS_MAX || 10)
  const migratesAtStart = env.MIGRATE_AT_START !== 'false'
  return checkDatabase({ of, timeoutMs, env, connectionsMax, migratesAtStart })
}

const marks = { ok: '✓', warning: '!', problem: '✗' }

function lineOf({ name, level, text, remedy }: Finding): string {
  return `${marks[level]} ${name}: ${text}${remedy ? `\n    ${remedy}` : ''}`
}
