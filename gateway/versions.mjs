// Writes the table of API versions into the user's guide: npm run versions
import { readFileSync, writeFileSync } from 'node:fs'
import { withVersionTable } from './dist/src/version-table.js'

const document = new URL('guide/versions.md', import.meta.url)
writeFileSync(document, withVersionTable(readFileSync(document, 'utf8')))
