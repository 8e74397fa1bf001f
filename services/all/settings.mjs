// Writes the table of settings into the README: npm run settings
import { readFileSync, writeFileSync } from 'node:fs'
import { withSettingsTable } from './dist/src/settings-table.js'

const readme = new URL('../../README.md', import.meta.url)
writeFileSync(readme, withSettingsTable(readFileSync(readme, 'utf8')))
