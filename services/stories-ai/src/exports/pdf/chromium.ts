import { execFileSync, spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type DevTools, openDevTools } from './devtools.js'

/** Chromium on this machine, and how it runs. */
export type Chromium = {
  path: string
  /** An account of its own, if this process is root. */
  account: Account | undefined
  /** Whether it may run without its sandbox, if that does not work here. */
  mayRunUnconfined: boolean
}
type Account = { uid: number; gid: number }

export type ChromiumSettings = { path: string; user: string; sandboxRequired: boolean }

/** The shell is the smallest: it has no user interface. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Why there is no Chromium that can be used, or how it runs. */
export function findChromium({ path, user, sandboxRequired }: ChromiumSettings): Chromium | string {
  if (path === 'none') return 'it is switched off (CHROMIUM_PATH)'
  // The memory of its processes is read there.
  if (process.platform !== 'linux') return 'it needs Linux'
  const found = path ? [path].find(isProgram) : onPath().find(isProgram)
  if (!found) return path ? `${path} is no program` : 'Chromium is not installed'
  if (process.geteuid?.() !== 0) {
    return { path: found, account: undefined, mayRunUnconfined: !sandboxRequired }
  }
  const account = accountOf(user)
  if (!account) return `the user ${user} (CHROMIUM_USER) does not exist, or is root`
  // Another account cannot read the data of Figbase.
  return { path: found, account, mayRunUnconfined: true }
}

const onPath = () =>
  names.flatMap((name) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .filter(isAbsolute)
      .map((folder) => join(folder, name)),
  )

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return isAbsolute(path) && statSync(path).isFile()
  } catch {
    return false
  }
}

function accountOf(user: string): Account | undefined {
  try {
    const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, '--', user], { stdio: ['ignore', 'pipe', 'ignore'] })),
    )
    return uid > 0 ? { uid, gid } : undefined
  } catch {
    return undefined
  }
}

/** No request leaves this machine, or reaches it: no name and no address resolves, and the proxy does not exist. */
const offline = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://0.0.0.0:1',
  '--proxy-bypass-list=<-loopback>',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--dns-prefetch-disable',
]

const flags = [
  '--headless',
  '--remote-debugging-pipe',
  '--disable-gpu',
  // Containers often have a small /dev/shm.
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-remote-fonts',
  '--disable-3d-apis',
  '--disable-file-system',
  '--no-first-run',
  '--password-store=basic',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  // Processes of a window that nobody sees: pages of the address bar, and a renderer for a page to come.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess',
  ...offline,
]

const errorCharsMax = 2000

/** Chromium does not start; the message has its last output. */
export class NotStarted extends Error {
  override name = 'NotStarted'
}

/**
 * Starts Chromium in the process group of this process, with `home` as its only directory. It exits when this process
 * does, because its pipe closes.
 */
export async function startChromium(chromium: Chromium, home: string): Promise<DevTools> {
  const confined = await tryToStart(chromium, home, [])
  if (typeof confined !== 'string') return confined
  if (!chromium.mayRunUnconfined) throw new NotStarted(confined)
  const unconfined = await tryToStart(chromium, home, ['--no-sandbox'])
  if (typeof unconfined !== 'string') return unconfined
  throw new NotStarted(unconfined)
}

async function tryToStart({ path, account }: Chromium, home: string, more: string[]) {
  const child = spawn(path, [...flags, ...more, `--user-data-dir=${home}/profile`, 'about:blank'], {
    ...account,
    cwd: home,
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      HOME: home,
      // A short name of `home`: Chromium makes a socket there, whose path may have 107 bytes.
      TMPDIR: '/proc/self/cwd',
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_RUNTIME_DIR: home,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      DBUS_SYSTEM_BUS_ADDRESS: 'disabled:',
      FONTCONFIG_FILE: process.env.FONTCONFIG_FILE,
      FONTCONFIG_PATH: process.env.FONTCONFIG_PATH,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr?.on('data', (bytes) => {
    errors = `${errors}${bytes}`.slice(-errorCharsMax)
  })
  const failed = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.on('close', () => resolve(errors || 'it exited'))
  })
  const devTools = openDevTools(child.stdio[3] as Writable, child.stdio[4] as Readable)
  const started = devTools.send('Browser.getVersion').then(
    () => devTools,
    () => failed,
  )
  return Promise.race([started, failed])
}
