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
  authorization?: string | undefined
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
  /** Evaluates an expression in the page. */
  read(expression: string): Promise<unknown>
  /** Fills in inputs by their names. */
  fill(values: Record<string, string>): Promise<void>
  /** Clicks an element that leads to another page, and waits for that page. */
  click(selector: string): Promise<void>
  /** Presses a key that types itself, as the person would: the page may then do what needs an action of theirs. */
  press(key: string): Promise<void>
  /** A PNG of the visible part of the page. */
  screenshot(): Promise<Buffer>
}

interface Tab {
  send(method: string, params?: Params): Promise<Params>
  load(url: URL): Promise<void>
  /** Runs `work`, which leads to another page, and waits for that page. */
  navigate(work: () => Promise<unknown>): Promise<void>
  evaluate(expression: string): Promise<unknown>
  problems: string[]
}

type Message = { id?: number; method?: string; params?: Params; result?: Params; error?: unknown }
type Params = Record<string, unknown>

/** Starts a headless browser, controlled with the Chrome DevTools protocol. */
export async function openBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'figbase-browser-'))
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe']
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
    const { targetId } = await call('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true })
    const send = (method: string, params?: Params) => call(method, params, String(sessionId))
    const problems: string[] = []
    let arrived = () => {}
    listeners.add(({ method, params }) => {
      if (method === 'Page.loadEventFired') arrived()
      // The page is blocked until the dialog is closed.
      if (method === 'Page.javascriptDialogOpening') void send('Page.handleJavaScriptDialog', no)
      const problem = problemIn(method, params)
      if (problem) problems.push(problem)
    })
    const navigate = async (work: () => Promise<unknown>) => {
      const loaded = new Promise<void>((resolve) => {
        arrived = resolve
      })
      await work()
      await loaded
    }
    for (const domain of ['Page', 'Log', 'Runtime', 'Network']) await send(`${domain}.enable`)
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
    await call('Target.closeTarget', { targetId })
    listeners.clear()
    return answer
  }

  return {
    async visit(url, { width, height, isDark = false, authorization }) {
      return inTab(async (tab) => {
        const size = { width, height, deviceScaleFactor: 1, mobile: width < 600 }
        await tab.send('Emulation.setDeviceMetricsOverride', size)
        const scheme = { name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }
        await tab.send('Emulation.setEmulatedMedia', { features: [scheme] })
        await authorize(tab, authorization)
        await tab.load(url)
        const measured = (await tab.evaluate(measure)) as Omit<Visit, 'problems'>
        return { problems: tab.problems, ...measured }
      })
    },
    use: (work, authorization) =>
      inTab(async (tab) => {
        const { problems, load, navigate, evaluate, send } = tab
        await authorize(tab, authorization)
        return work({
          problems,
          go: load,
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
  if (method === 'Network.loadingFailed') return `not loaded: ${JSON.stringify(params)}`
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
