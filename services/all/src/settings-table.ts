import { readGatewayConfig } from '@figbase/gateway'
import {
  EnvReader,
  readCallSettings,
  readOperationsSettings,
  readRpcSettings,
  readRuntimeSettings,
  readS3Settings,
  readTracingSettings,
  type Setting,
} from '@figbase/kit'
import { services } from './all-in-one.js'
import { readDistributedSettings } from './distributed.js'
import { readLauncherSettings } from './settings.js'

const begin = '<!-- settings: npm run settings writes this table -->'
const end = '<!-- /settings -->'

/** What the launcher provides itself, and what is for tests. */
const internal = new Set([
  'FIGBASE_SECRET_KEY',
  'FIGBASE_SECRET_KEYS_PREVIOUS',
  'ADMIN_PASSWORD_FILE',
  'FAIL_AT',
])

/** All that reads settings, of the launcher, the gateway and every service. */
export const settingReaders: ((env: EnvReader) => unknown)[] = [
  readLauncherSettings,
  readDistributedSettings,
  readGatewayConfig,
  readRuntimeSettings,
  readRpcSettings,
  readCallSettings,
  readOperationsSettings,
  readTracingSettings,
  readS3Settings,
  ...services.map((service) => service.config),
]

/** Every setting as often as readers declare it. */
export function declaredSettings(): Setting[] {
  const env = new EnvReader({})
  for (const read of settingReaders) read(env)
  return env.settings
}

/** Every setting of `npm start`, as its readers declare it, once each. */
export function allSettings(): Setting[] {
  const byName = new Map<string, Setting>()
  for (const setting of declaredSettings()) {
    if (!internal.has(setting.name) && !byName.has(setting.name)) byName.set(setting.name, setting)
  }
  return [...byName.values()]
}

/** The document with the table of settings between its two markers. */
export function withSettingsTable(document: string): string {
  const rows = allSettings().map(
    ({ name, fallback, about }) =>
      `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ''} | ${about} |`,
  )
  const table = ['| setting | default | |', '|---|---|---|', ...rows].join('\n')
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error('the document has no place for the settings')
  return `${document.slice(0, from)}${begin}\n${table}\n${document.slice(to)}`
}
