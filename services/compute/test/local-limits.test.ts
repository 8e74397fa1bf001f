import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRun } from '../src/drivers/contract.js'
import { inKernel, observed, signal, started, until } from './in-notebook.js'
import { openLocal, withoutLocal } from './local.js'

const skip = withoutLocal
const mib = 2 ** 20

const detailOf = (at: Awaited<ReturnType<typeof openLocal>>, spec: ReturnType<typeof newRun>) =>
  until(async () => (await observed(at, spec))?.detail || undefined, 'the detail of the run')

const takes = {
  processes: `
for each in range(3):
    if os.fork() == 0:
        taken = bytearray(250 * ${mib})
        time.sleep(3600)
report('took')`,
  'processes without a first thread': `
import ctypes, threading
def take():
    time.sleep(1)
    taken = bytearray(250 * ${mib})
    time.sleep(3600)
for each in range(3):
    if os.fork() == 0:
        threading.Thread(target=take).start()
        ctypes.CDLL(None).syscall(60, 0)
report('took')`,
}

for (const [what, code] of Object.entries(takes)) {
  test(`${what} that together take too much memory are ended, the server is not`, {
    skip,
  }, async () => {
    await using at = await openLocal()
    const spec = newRun()
    await started(at, spec)
    await inKernel(at, spec, code)
    assert.match(await detailOf(at, spec), /more than 536870912 bytes of memory/)
    assert.equal(await inKernel(at, spec, `report(len(os.sched_getaffinity(0)))`), 1)
    const measured = await at.driver.measure(spec.instanceId, signal)
    assert.ok(measured?.jupyterUp && measured.memPct <= 100)
  })
}

/** They report before the limit: beyond it, a kernel may be ended at any moment. */
const fills = {
  'many files': `
for each in range(1000):
    with open(f'file-{each}', 'wb') as file: file.write(os.urandom(${mib}))
    if each == 40: report('half of it')`,
  'many empty files': `
for each in range(100000):
    open(f'empty-{each}', 'w').close()
    if each == 8000: report('half of it')`,
  'a deleted file': `
file = open('/tmp/deleted', 'wb')
os.unlink('/tmp/deleted')
others = [open('/tmp/other', 'wb')]
os.unlink('/tmp/other')
for each in range(40):
    file.write(os.urandom(${mib}))
    others[0].write(os.urandom(${mib}))
    if each == 20: report('half of it')
file.flush()
others[0].flush()`,
}

for (const [what, code] of Object.entries(fills)) {
  test(`kernels that fill the disk with ${what} are ended, the server is not`, {
    skip,
  }, async () => {
    await using at = await openLocal()
    const spec = newRun()
    await started(at, spec)
    await inKernel(at, spec, code)
    assert.match(await detailOf(at, spec), /its files take more than 67108864 bytes/)
    const measured = await at.driver.measure(spec.instanceId, signal)
    assert.ok(measured?.jupyterUp)
  })
}

test('the use of processors is measured, whatever Jupyter says of kernels', { skip }, async () => {
  await using at = await openLocal()
  const spec = newRun()
  await started(at, spec)
  const code = `
import threading
def work():
    while True: pass
threading.Thread(target=work).start()
report('began')`
  await inKernel(at, spec, code)
  const measured = await until(async () => {
    const now = await at.driver.measure(spec.instanceId, signal)
    return now && now.cpuPct > 30 && now
  }, 'the use of a processor')
  assert.equal(measured.busyKernelCount, 0)
})
