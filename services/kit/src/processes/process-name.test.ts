import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isProcessGone, pidOf, processName } from './process-name.js'
import { memoryBytesOf, ownMemoryBytesOf, statOf } from './process-stat.js'

test('knows a process by its name until it has ended', {
  skip: process.platform !== 'linux',
}, async () => {
  const child = spawn('sleep', ['60'])
  const { pid = 0 } = child
  const name = processName(pid)
  assert.equal(pidOf(name), pid)
  assert.ok(!isProcessGone(name) && isProcessGone(`${name}1`))
  assert.equal(statOf(pid)?.parent, process.pid)
  assert.ok(ownMemoryBytesOf(pid) > 0 && ownMemoryBytesOf(pid) <= memoryBytesOf(pid))
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.ok(isProcessGone(name))
  assert.equal(pidOf(name), undefined)
  assert.deepEqual([statOf(pid), memoryBytesOf(pid)], [undefined, 0])
})

test('names processes by the tick of their start, as earlier versions do', {
  skip: process.platform !== 'linux',
}, () => {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  assert.equal(processName().split('~').slice(1).join(), [process.pid, start].join())
})
