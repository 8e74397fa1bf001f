export { createTestDatabase, type TestDatabase } from './database.js'
export { startTestService, type TestService } from './service.js'
