import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
const neededBytes = 6 * 2 ** 30

/**
 * Creates a directory for temporary databases and objects, in memory if there is enough: on a disk, creating and removing
 * database files takes a third of the time of all tests.
 */
export function makeScratch() {
  const scratch = mkdtempSync(join(hasRoomInMemory() ? inMemory : tmpdir(), 'figbase-test-'))
  // PostgreSQL runs as another account where this is root.
  chmodSync(scratch, 0o711)
  return scratch
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
