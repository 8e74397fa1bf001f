import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { lifecycleDiagram } from './diagram.js'
import { type Happening, launched, lifecycleOf, next, rules, type State } from './lifecycle.js'

const happenings = Object.keys(rules) as Happening[]

function reachable(): State[] {
  const states = [launched]
  for (const state of states) {
    for (const happening of happenings) {
      const after = next(state, happening)
      const isKnown = states.some(
        (one) => one.desired === after?.desired && one.observed === after.observed,
      )
      if (after && !isKnown) states.push(after)
    }
  }
  return states
}

test('every state that occurs has a lifecycle', () => {
  const names = new Set(reachable().map(lifecycleOf))
  assert.deepEqual([...names].sort(), [
    'failed',
    'pending',
    'running',
    'starting',
    'stopped',
    'stopping',
    'terminated',
  ])
})

test('a terminated instance is never started again, and ends', () => {
  for (const state of reachable().filter(({ desired }) => desired === 'terminated')) {
    for (const happening of happenings) {
      const after = next(state, happening)
      assert.ok(!after || after.desired === 'terminated', `${happening} in ${state.observed}`)
    }
  }
})

test('an instance can be stopped and terminated whatever it is doing', () => {
  for (const state of reachable()) {
    const lifecycle = lifecycleOf(state)
    const isBusy = ['pending', 'starting', 'running'].includes(lifecycle)
    assert.equal(next(state, 'stop') !== undefined, isBusy, lifecycle)
    const isTerminated = state.desired === 'terminated'
    assert.equal(next(state, 'terminate') === undefined, isTerminated, lifecycle)
    const canStart = lifecycle === 'stopped' || lifecycle === 'failed'
    assert.equal(next(state, 'start') !== undefined, canStart, lifecycle)
  }
})

test('a run that ends by itself is not started again', () => {
  const state = next({ desired: 'running', observed: 'running' }, 'run_stopped')
  assert.deepEqual(state, { desired: 'stopped', observed: 'stopped' })
})

test('the diagram of the README is that of the code', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  assert.ok(readme.includes(`\`\`\`mermaid\n${lifecycleDiagram()}\n\`\`\``), lifecycleDiagram())
})
