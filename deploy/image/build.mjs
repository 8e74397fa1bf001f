// Installs the dependencies of the lockfile and builds, as a first `npm start` does: node deploy/image/build.mjs
import { prepare } from '../../services/all/prepare.mjs'
import { createProgress } from '../../services/all/progress.mjs'

await prepare(createProgress())
