// A test runner for Stryker that runs everything in one process with all packages loaded. One process per run, as in
// Stryker's own runner for node:test, takes thirty times as long.
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { forgetRegistered, runRegistered } from './node-test.mjs'

class Runner {
  static inject = tokens(commonTokens.options)
  #files
  #runs = 0
  #stryker = {}

  constructor({ figbaseTestFiles }) {
    this.#files = figbaseTestFiles
    // The mutated code reads the active mutant from here.
    globalThis.__stryker__ = this.#stryker
  }

  capabilities = () => ({ reloadEnvironment: true })

  async init() {
    register('./fresh-modules.mjs', import.meta.url)
  }

  async dryRun() {
    this.#stryker.activeMutant = undefined
    this.#stryker.mutantCoverage = { static: {}, perTest: {} }
    const tests = await this.#runAll(this.#files)
    const mutantCoverage = this.#stryker.mutantCoverage
    return { status: DryRunStatus.Complete, tests, mutantCoverage }
  }

  async mutantRun({ activeMutant, testFilter = this.#files, hitLimit }) {
    Object.assign(this.#stryker, { activeMutant: activeMutant.id, hitLimit })
    this.#stryker.hitCount = hitLimit === undefined ? undefined : 0
    const tests = await this.#runAll(testFilter)
    const tooMany = determineHitLimitReached(this.#stryker.hitCount, hitLimit)
    return toMutantRunResult(tooMany ?? { status: DryRunStatus.Complete, tests })
  }

  /** Stops at the first failure. */
  async #runAll(files) {
    const tests = []
    for (const file of files) {
      const test = await this.#run(file)
      tests.push(test)
      if (test.status === TestStatus.Failed) break
    }
    return tests
  }

  async #run(file) {
    const started = performance.now()
    this.#stryker.currentTestId = file
    const url = pathToFileURL(resolve(file))
    url.searchParams.set('run', String(this.#runs++))
    const test = { id: file, name: file, fileName: file, status: TestStatus.Success }
    try {
      await import(url.href)
      await runRegistered()
    } catch (error) {
      test.status = TestStatus.Failed
      test.failureMessage = String(error?.stack ?? error)
      forgetRegistered()
    }
    return { ...test, timeSpentMs: performance.now() - started }
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'figbase', Runner)]
