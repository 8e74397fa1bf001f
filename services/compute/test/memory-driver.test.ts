import { driverContract } from '../src/drivers/contract.js'
import { createMemoryDriver, Machines } from './memory-driver.js'

driverContract('memory', async () => {
  const machines = new Machines({ startMs: 5 })
  return {
    driver: createMemoryDriver(machines),
    inAnotherProcess: async () => createMemoryDriver(machines),
    writeFile: async (instanceId, name) => void machines.of(instanceId).files.add(name),
    hasFile: async (instanceId, name) => machines.of(instanceId).files.has(name),
    async [Symbol.asyncDispose]() {},
  }
})
