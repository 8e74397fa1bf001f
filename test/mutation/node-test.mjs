// Replaces `node:test` in the process that runs thousands of test files; implements only what they use.
import { mock } from 'node:test'

// A mutant may make a test wait forever.
const testMsMax = 8000

let scope = newScope()

export function test(name, ...rest) {
  const { options, work } = argumentsOf(name, rest)
  if (work && !options.skip) scope.tests.push(work)
  return Promise.resolve()
}

export function describe(name, ...rest) {
  const { options, work } = argumentsOf(name, rest)
  if (!work || options.skip) return
  const inner = newScope()
  const outer = scope
  scope = inner
  work()
  scope = outer
  outer.tests.push(() => runScope(inner))
}

export const it = test
export const before = (work) => void scope.before.push(work)
export const after = (work) => void scope.after.push(work)
export default test
export { mock }

/** Runs the tests registered since the last call; rejects with the first failure. */
export async function runRegistered() {
  const registered = scope
  scope = newScope()
  await runScope(registered)
}

/** Discards the tests of a file that failed to load. */
export function forgetRegistered() {
  scope = newScope()
}

function newScope() {
  return { tests: [], before: [], after: [] }
}

async function runScope({ tests, before, after }) {
  try {
    for (const work of before) await work()
    for (const work of tests) await runTest(work)
  } finally {
    for (const work of after) await work()
  }
}

async function runTest(work) {
  const after = []
  const context = {
    mock,
    signal: new AbortController().signal,
    diagnostic() {},
    skip() {},
    after: (work) => void after.push(work),
    test: (name, ...rest) => runTest(argumentsOf(name, rest).work),
  }
  try {
    await withTimeout(work(context))
  } finally {
    mock.reset()
    for (const work of after) await work()
  }
}

async function withTimeout(work) {
  let timer
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${testMsMax} ms`)), testMsMax)
  })
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

function argumentsOf(name, rest) {
  const all = [name, ...rest]
  const isObject = (value) => typeof value === 'object' && value !== null
  return {
    options: all.find(isObject) ?? {},
    work: all.find((value) => typeof value === 'function'),
  }
}
