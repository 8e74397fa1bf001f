import { readGatewayConfig } from '@figbase/gateway'
import { EnvReader, type Setting } from '@figbase/kit/config'
import { readS3Settings } from '@figbase/kit/objects'
import { readOperationsSettings } from '@figbase/kit/operations'
import { readCallSettings } from '@figbase/kit/rpc'
import { readRpcSettings, readRuntimeSettings } from '@figbase/kit/settings'
import { readTracingSettings } from '@figbase/kit/tracing'
import { services } from './all-in-one.js'
import { readDistributedSettings } from './distributed.js'
import { readLauncherSettings } from './settings.js'
import { everydaySettings, topics } from './settings-topics.js'

const begin = '<!-- settings: npm run settings writes these tables -->'
const end = '<!-- /settings -->'

/** Settings that the launcher sets itself, and those for tests. */
const internal = new Set([
  'FIGBASE_SECRET_KEY',
  'FIGBASE_SECRET_KEYS_PREVIOUS',
  'ADMIN_PASSWORD_FILE',
  'FAIL_AT',
])

/** The setting readers of the launcher, the gateway and every service. */
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

/** All declared settings; settings declared by several readers are repeated. */
export function declaredSettings(): Setting[] {
  const env = new EnvReader({})
  for (const read of settingReaders) read(env)
  return env.settings
}

/** The settings of `npm start`, once each. */
export function allSettings(): Setting[] {
  const byName = new Map<string, Setting>()
  for (const setting of declaredSettings()) {
    if (!internal.has(setting.name) && !byName.has(setting.name)) byName.set(setting.name, setting)
  }
  return [...byName.values()]
}

/** The document with the tables of settings between its two markers. */
export function withSettingsTable(document: string): string {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error('the document lacks the markers of the settings')
  return `${document.slice(0, from)}${begin}\n${settingsTables()}\n${document.slice(to)}`
}

/** The everyday settings, then all of them by topic. */
function settingsTables(): string {
  const settings = allSettings()
  const everyday = everydaySettings.map((name) => {
    const found = settings.find((setting) => setting.name === name)
    if (!found) throw new Error(`${name} in settings-topics.ts: unknown setting`)
    return found
  })
  const placed = settings.map((setting) => ({ topic: topicOf(setting), setting }))
  const sections = topics.map(({ title }) => {
    const here = placed.filter(({ topic }) => topic === title)
    return section(
      title,
      here.map(({ setting }) => setting),
    )
  })
  return [section('Everyday settings', everyday), ...sections].join('\n\n')
}

function topicOf({ name }: Setting): string {
  const topic = topics.find(({ names }) => names.test(name))
  if (!topic) throw new Error(`${name}: add it to a topic in settings-topics.ts`)
  return topic.title
}

const section = (title: string, settings: Setting[]) =>
  `## ${title}\n\n| setting | default | |\n|---|---|---|\n${settings.map(row).join('\n')}`

const row = ({ name, fallback, about }: Setting) =>
  `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ''} | ${about} |`
