#!/usr/bin/env node
// Writes the types of the client from the OpenAPI document: npm run client-types
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientTypes, clientTypesFile } from './dist/src/generated-clients/client-types.js'

const work = mkdtempSync(join(tmpdir(), 'figbase-types-'))
try {
  writeFileSync(clientTypesFile, await clientTypes(work))
} finally {
  rmSync(work, { recursive: true })
}
