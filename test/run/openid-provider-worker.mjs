import { parentPort } from 'node:worker_threads'
import { startOpenIdProvider } from '../../services/kit/dist/src/testing/index.js'

const { settings } = await startOpenIdProvider()
parentPort.postMessage(settings)
