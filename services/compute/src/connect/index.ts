export { createNotebookServer } from './notebook-server.js'
export { readConnectSettings } from './settings.js'
export { createTickets } from './tickets.js'
