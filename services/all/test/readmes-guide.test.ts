import { guideIn, testDocuments } from './support/readmes/documents.js'

testDocuments("the user's guide", guideIn('gateway/guide'))
