import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** The path of Chromium on this machine, if installed. */
const chromium = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find(isExecutable)

/** The reason to skip tests that need a browser, or false. */
export const withoutBrowser: string | false = chromium ? false : 'needs chromium on this machine'
if (withoutBrowser && process.env.FIGBASE_CI) {
  throw new Error('chromium is missing: .ci/run installs it')
}

/** The state of a loaded page; sizes in CSS pixels. */
export interface Visit {
  /** Console errors, policy violations, dialogs, and failed requests. */
  problems: string[]
  scrollWidth: number
  /** The number of images that were rendered. */
  pictures: number
  background: string
}

export interface Window {
  width: number
  height: number
  isDark?: boolean
  isPrint?: boolean
  authorization?: string | undefined
}

/** The languages and the time zone of a person. */
export interface Region {
  languages: string
  timeZone: string
}

export interface Browser extends AsyncDisposable {
  visit(url: URL, window: Window): Promise<Visit>
  /** Runs a script in the page and returns its result. */
  run(url: URL, script: string): Promise<unknown>
  /** Runs interactions in a new window, with the given credentials. */
  use<T>(work: (person: Person) => Promise<T>, authorization?: string): Promise<T>
}

/** Simulates a person who uses the browser. */
export interface Person {
  /** The problems of all pages so far, as in `Visit`. */
  problems: string[]
  go(url: URL): Promise<void>
  resize(window: Window): Promise<void>
  /** Affects the pages that are loaded from now on. */
  move(region: Region): Promise<void>
  /** Evaluates an expression in the page. */
  read(expression: string): Promise<unknown>
  /** Fills in inputs by their names. */
  fill(values: Record<string, string>): Promise<void>
  /** Clicks an element that leads to another page, and waits for that page. */
  click(selector: string): Promise<void>
  /** Presses a key that types itself, as the person would: the page may then do what needs an action of theirs. */
  press(key: string): Promise<void>
  /** Presses a key that does not type. */
  key(key: Key): Promise<void>
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>
  /** Runs `work`, which leads to another page, and waits for that page. */
  arrive(work: () => Promise<unknown>): Promise<void>
  /** The element that has the focus, as a screen reader announces it. */
  focused(): Promise<Focused>
  /** Chooses files of this machine in the file input that has the focus. */
  choose(paths: string[]): Promise<void>
  /** Pages that are loaded from now on run no scripts of their own. */
  disableScripts(): Promise<void>
  /** Pages that are loaded from now on load as on a slow phone, without a cache. */
  slowDown(): Promise<void>
  /** What the page has cost until now; `undefined` while nothing is painted. */
  loaded(): Promise<Loaded | undefined>
  /** Drops files of this machine onto the middle of an element. */
  drop(selector: string, paths: string[]): Promise<void>
  /** A PNG of the visible part of the page. */
  screenshot(): Promise<Buffer>
}

const keyCodes = { Tab: 9, Enter: 13, Escape: 27, Space: 32, Home: 36, ArrowUp: 38, ArrowDown: 40 }
export type Key = keyof typeof keyCodes

export interface Focused {
  role: string
  name: string
  /** Whether the element is inside the window and has an outline. */
  isVisible: boolean
}

export interface Loaded {
  firstPaintMs: number
  requests: number
  /** Received, compressed, with headers. */
  bytes: number
}

interface Tab {
  send(method: string, params?: Params): Promise<Params>
  load(url: URL): Promise<void>
  /** Runs `work`, which leads to another page, and waits for that page. */
  navigate(work: () => Promise<unknown>): Promise<void>
  evaluate(expression: string): Promise<unknown>
  problems: string[]
}

type Message = {
  id?: number
  sessionId?: string
  method?: string
  params?: Params
  result?: Params
  error?: unknown
}
type Params = Record<string, unknown>

/** Processes of each new window that no test sees: pages of the address bar, and a renderer for a page to come. */
const unused = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

/** Starts a headless browser, controlled with the Chrome DevTools protocol. */
export async function openBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'figbase-browser-'))
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-pipe',
    `--disable-features=${unused.join()}`,
  ]
  const child = spawn(chromium ?? '', [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const output = child.stdio[3] as Writable
  const waiting = new Map<number, (message: Message) => void>()
  const listeners = new Set<(message: Message) => void>()
  void (async () => {
    let text = ''
    for await (const bytes of child.stdio[4] as Readable) {
      const messages = (text + bytes).split('\0')
      text = messages.pop() ?? ''
      for (const message of messages.map((one) => JSON.parse(one) as Message)) {
        if (message.id === undefined) for (const listener of listeners) listener(message)
        else waiting.get(message.id)?.(message)
      }
    }
  })()
  let lastId = 0
  const call = async (method: string, params: Params = {}, sessionId?: string): Promise<Params> => {
    const id = ++lastId
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve))
    output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    const { result, error } = await answered
    waiting.delete(id)
    assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`)
    return result ?? {}
  }

  const inTab = async <T>(work: (tab: Tab) => Promise<T>): Promise<T> => {
    // A profile of its own: nobody is signed in.
    const { browserContextId } = await call('Target.createBrowserContext')
    const { targetId } = await call('Target.createTarget', { url: 'about:blank', browserContextId })
    const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true })
    const send = (method: string, params?: Params) => call(method, params, String(sessionId))
    const problems: string[] = []
    let arrived = () => {}
    const listen = ({ method, params, sessionId: from }: Message) => {
      if (from !== sessionId) return
      if (method === 'Page.loadEventFired') arrived()
      // The page is blocked until the dialog is closed.
      if (method === 'Page.javascriptDialogOpening') void send('Page.handleJavaScriptDialog', no)
      const problem = problemIn(method, params)
      if (problem) problems.push(problem)
    }
    listeners.add(listen)
    const navigate = async (work: () => Promise<unknown>) => {
      const loaded = new Promise<void>((resolve) => {
        arrived = resolve
      })
      await work()
      await loaded
    }
    // The load event of the empty page would be taken for that of the first one.
    await send('Runtime.evaluate', { expression: untilLoaded, awaitPromise: true })
    for (const domain of ['Page', 'Log', 'Runtime']) await send(`${domain}.enable`)
    // The bodies of large uploads would take minutes.
    await send('Network.enable', { maxPostDataSize: 1 })
    const answer = await work({
      send,
      problems,
      navigate,
      load: (url) => navigate(() => send('Page.navigate', { url: url.href })),
      async evaluate(expression) {
        const script = { expression, returnByValue: true, awaitPromise: true }
        const { result } = await send('Runtime.evaluate', script)
        return (result as { value: unknown }).value
      },
    })
    await call('Target.disposeBrowserContext', { browserContextId })
    listeners.delete(listen)
    return answer
  }

  return {
    async visit(url, window) {
      return inTab(async (tab) => {
        await resize(tab, window)
        await authorize(tab, window.authorization)
        await tab.load(url)
        const measured = (await tab.evaluate(measure)) as Omit<Visit, 'problems'>
        return { problems: tab.problems, ...measured }
      })
    },
    use: (work, authorization) =>
      inTab(async (tab) => {
        const { problems, load, navigate, evaluate, send } = tab
        await authorize(tab, authorization)
        let isAccessible = false
        return work({
          problems,
          go: load,
          resize: (window) => resize(tab, window),
          move: (region) => move(tab, region),
          read: evaluate,
          async fill(values) {
            for (const [name, value] of Object.entries(values)) {
              await evaluate(`${element(`[name="${name}"]`)}.value = ${JSON.stringify(value)}`)
            }
          },
          click: (selector) => navigate(() => evaluate(`${element(selector)}.click()`)),
          async press(key) {
            const event = { key, text: key, code: `Key${key.toUpperCase()}` }
            await send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
            await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
          },
          key: (key) => pressKey(tab, key),
          type: async (text) => void (await send('Input.insertText', { text })),
          arrive: navigate,
          async focused() {
            // Without it, the browser makes the tree of the whole page anew for each element.
            if (!isAccessible) await send('Accessibility.enable')
            isAccessible = true
            return readFocused(tab)
          },
          async choose(files) {
            const { result } = await send('Runtime.evaluate', {
              expression: 'document.activeElement',
            })
            await send('DOM.setFileInputFiles', { files, objectId: (result as Params).objectId })
          },
          disableScripts: async () =>
            void (await send('Emulation.setScriptExecutionDisabled', { value: true })),
          slowDown: () => slowDown(tab),
          loaded: async () => (await evaluate(readLoaded)) as Loaded | undefined,
          drop: (selector, paths) => drop(tab, selector, paths),
          async screenshot() {
            const { data } = await send('Page.captureScreenshot')
            return Buffer.from(String(data), 'base64')
          },
        })
      }),
    run: (url, script) =>
      inTab(async (tab) => {
        await tab.load(url)
        return tab.evaluate(script)
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Sets the Authorization header; does not use a browser session. */
async function authorize({ send }: Tab, authorization: string | undefined) {
  const headers = { authorization }
  if (authorization) await send('Network.setExtraHTTPHeaders', { headers })
}

async function resize({ send }: Tab, { width, height, isDark, isPrint }: Window) {
  const size = { width, height, deviceScaleFactor: 1, mobile: width < 600 }
  await send('Emulation.setDeviceMetricsOverride', size)
  const scheme = { name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }
  const media = isPrint ? 'print' : ''
  await send('Emulation.setEmulatedMedia', { media, features: [scheme] })
}

async function move({ send, evaluate }: Tab, { languages, timeZone }: Region) {
  const userAgent = String(await evaluate('navigator.userAgent'))
  await send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: languages })
  await send('Emulation.setTimezoneOverride', { timezoneId: timeZone })
}

/** 1.6 Mbit/s with 150 ms, as the profile "slow 4G" of Lighthouse, and a quarter of the speed of this machine. */
async function slowDown({ send }: Tab) {
  const network = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
  await send('Network.emulateNetworkConditions', { offline: false, ...network })
  await send('Network.setCacheDisabled', { cacheDisabled: true })
  await send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

const readLoaded = `(() => {
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  if (!paint) return undefined
  const all = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  const bytes = all.reduce((sum, { transferSize }) => sum + transferSize, 0)
  return { firstPaintMs: paint.startTime, requests: all.length, bytes }
})()`

async function pressKey({ send }: Tab, key: Key) {
  const text = { Enter: '\r', Space: ' ' }[key as string]
  const event = {
    key: key === 'Space' ? ' ' : key,
    code: key,
    windowsVirtualKeyCode: keyCodes[key],
  }
  await send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', text, ...event })
  await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
}

async function readFocused({ send, evaluate }: Tab): Promise<Focused> {
  const { result } = await send('Runtime.evaluate', { expression: 'document.activeElement' })
  const { objectId } = result as Params
  const { nodes } = await send('Accessibility.getPartialAXTree', {
    objectId,
    fetchRelatives: false,
  })
  const [node] = nodes as { role?: { value: string }; name?: { value: string } }[]
  const isVisible = Boolean(await evaluate(hasVisibleFocus))
  return { role: node?.role?.value ?? '', name: node?.name?.value ?? '', isVisible }
}

const hasVisibleFocus = `(() => {
  const element = document.activeElement
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  return isInside && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
})()`

async function drop({ send, evaluate }: Tab, selector: string, files: string[]) {
  const [x, y] = (await evaluate(`(() => {
    const target = ${element(selector)}
    target.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = target.getBoundingClientRect()
    return [left + width / 2, top + height / 2]
  })()`)) as [number, number]
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await send('Input.dispatchDragEvent', { type, x, y, data })
  }
}

const untilLoaded = `document.readyState === 'complete' || new Promise((resolve) => addEventListener('load', resolve))`

const no = { accept: false }
const element = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`

/** Runs in the debugger, so the content security policy does not apply. */
const measure = `(async () => {
  const pictures = [...document.images]
  for (const picture of pictures) picture.loading = 'eager'
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})))
  return {
    scrollWidth: document.documentElement.scrollWidth,
    pictures: pictures.filter((picture) => picture.naturalWidth > 0).length,
    background: getComputedStyle(document.body).backgroundColor,
  }
})()`

function problemIn(method: string | undefined, params: Params | undefined): string | undefined {
  if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') {
    return JSON.stringify(params)
  }
  if (method === 'Runtime.consoleAPICalled') return `console: ${JSON.stringify(params?.args)}`
  if (method === 'Page.javascriptDialogOpening') return `dialog: ${JSON.stringify(params)}`
  // A page ends its stream when it is left.
  if (method === 'Network.loadingFailed' && params?.type !== 'EventSource') {
    return `not loaded: ${JSON.stringify(params)}`
  }
  return undefined
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
