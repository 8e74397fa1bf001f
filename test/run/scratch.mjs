import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
const neededBytes = 6 * 2 ** 30

/**
 * A new directory for databases and objects that need not outlive the run. In memory where there is enough of it: a disk
 * takes a third of the time of all tests to make and remove the files of their databases.
 */
export function makeScratch() {
  return mkdtempSync(join(hasRoomInMemory() ? inMemory : tmpdir(), 'figbase-test-'))
}

function hasRoomInMemory() {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    return Math.min(bavail * bsize, freemem()) > neededBytes
  } catch {
    return false
  }
}
