import { PageChanges1764733000000 } from '../../migrations/1764733000000-page-changes';
import { CallerChanges1764734000000 } from '../../migrations/1764734000000-caller-changes';
import { ApplicationLogos1764735000000 } from '../../migrations/1764735000000-application-logos';
import { StoredTagSearches1764736000000 } from '../../migrations/1764736000000-stored-tag-searches';
import { CitySpans1764737000000 } from '../../migrations/1764737000000-city-spans';
import { SearchKeys1764740000000 } from '../../migrations/1764740000000-search-keys';
import { ListCounts1764741000000 } from '../../migrations/1764741000000-list-counts';
import { PictureRemovals1764742000000 } from '../../migrations/1764742000000-picture-removals';
import { LoggedSequences1764743000000 } from '../../migrations/1764743000000-logged-sequences';
import { LargeCollectors1764745000000 } from '../../migrations/1764745000000-large-collectors';
import { SmallPictureSizes1764745300000 } from '../../migrations/1764745300000-small-picture-sizes';
import { TestKeyLimits1764744000000 } from '../../migrations/1764744000000-test-key-limits';
import { ParticipationLists1764746000000 } from '../../migrations/1764746000000-participation-lists';
import { LikedNoteLists1764747000000 } from '../../migrations/1764747000000-liked-note-lists';
import { SearchTrigrams1764748000000 } from '../../migrations/1764748000000-search-trigrams';
import { EventListIndexes1764749000000 } from '../../migrations/1764749000000-event-list-indexes';
import { InitialIdsOfImports1764750000000 } from '../../migrations/1764750000000-initial-ids-of-imports';
import { ImportJobParts1764751000000 } from '../../migrations/1764751000000-import-job-parts';
import { WordsOfQueue1764753000000 } from '../../migrations/1764753000000-words-of-queue';
import { UsesOfDeletedTexts1764752000000 } from '../../migrations/1764752000000-uses-of-deleted-texts';
import { Books1763596800000 } from '../../migrations/1763596800000-books';
import { Authorization1763683200000 } from '../../migrations/1763683200000-authorization';
import { Idempotency1763769500000 } from '../../migrations/1763769500000-idempotency';
import { Limits1763683300000 } from '../../migrations/1763683300000-limits';
import { Notes1763942400000 } from '../../migrations/1763942400000-notes';
import { Pictures1763769600000 } from '../../migrations/1763769600000-pictures';
import { Administration1764288000000 } from '../../migrations/1764288000000-administration';
import { Movies1763942300000 } from '../../migrations/1763942300000-movies';
import { Moderation1764115200000 } from '../../migrations/1764115200000-moderation';
import { HeldNotes1764115300000 } from '../../migrations/1764115300000-held-notes';
import { Cities1763856000000 } from '../../migrations/1763856000000-cities';
import { Events1764028800000 } from '../../migrations/1764028800000-events';
import { PasswordRevocations1764550000000 } from '../../migrations/1764550000000-password-revocations';
import { OwnNumbers1764374700000 } from '../../migrations/1764374700000-own-numbers';
import { ModerationIndexes1764540100000 } from '../../migrations/1764540100000-moderation-indexes';
import { RegisteredUids1764540000000 } from '../../migrations/1764540000000-registered-uids';
import { RepairEdited1764374800000 } from '../../migrations/1764374800000-repair-edited';
import { JobAttempts1764560000000 } from '../../migrations/1764560000000-job-attempts';
import { ScheduledTasks1764530000000 } from '../../migrations/1764530000000-scheduled-tasks';
import { AdministratorsSearch1764560100000 } from '../../migrations/1764560100000-administrators-search';
import { UnusedPictures1764739000000 } from '../../migrations/1764739000000-unused-pictures';
import { WaitingApplications1764560200000 } from '../../migrations/1764560200000-waiting-applications';
import { StandardNames1764570000000 } from '../../migrations/1764570000000-standard-names';
import { BlockedContact1764590000000 } from '../../migrations/1764590000000-blocked-contact';
import { AdvanceSequences1764580000000 } from '../../migrations/1764580000000-advance-sequences';
import { TransferJobs1764201600000 } from '../../migrations/1764201600000-transfer-jobs';
import { EventSpans1764600000000 } from '../../migrations/1764600000000-event-spans';
import { TagCounts1764600100000 } from '../../migrations/1764600100000-tag-counts';
import { ContentChanges1764620000000 } from '../../migrations/1764620000000-content-changes';
import { StoredSearches1764630000000 } from '../../migrations/1764630000000-stored-searches';
import { BulkImports1764640000000 } from '../../migrations/1764640000000-bulk-imports';
import { TagsOfBook1764650000000 } from '../../migrations/1764650000000-tags-of-book';
import { ConfirmedSessions1764660000000 } from '../../migrations/1764660000000-confirmed-sessions';
import { DeprecatedRequests1764665000000 } from '../../migrations/1764665000000-deprecated-requests';
import { ApplicationProfiles1764670000000 } from '../../migrations/1764670000000-application-profiles';
import { RequestStatistics1764720000000 } from '../../migrations/1764720000000-request-statistics';
import { CollectionCounts1764725000000 } from '../../migrations/1764725000000-collection-counts';
import { CoveringIndexes1764725000001 } from '../../migrations/1764725000001-covering-indexes';
import { EventCounts1764725000002 } from '../../migrations/1764725000002-event-counts';
import { MergedRecords1764730000000 } from '../../migrations/1764730000000-merged-records';
import { UserBlocks1764731000000 } from '../../migrations/1764731000000-user-blocks';
import { TestKeys1764732000000 } from '../../migrations/1764732000000-test-keys';
import { ConflictingUsers1764754000000 } from '../../migrations/1764754000000-conflicting-users';
import { ConflictingRecords1764755000000 } from '../../migrations/1764755000000-conflicting-records';
import { DeletedPictures1764757000000 } from '../../migrations/1764757000000-deleted-pictures';
import { LostConnectionsOfJobs1764758000000 } from '../../migrations/1764758000000-lost-connections-of-jobs';
import { GrantChanges1764759000000 } from '../../migrations/1764759000000-grant-changes';
import { FileVersionsOfJobParts1764756000000 } from '../../migrations/1764756000000-file-versions-of-job-parts';

/** Every migration, oldest first. An explicit list, so that a build cannot omit one. */
export const MIGRATIONS = [
  Books1763596800000,
  Authorization1763683200000,
  Limits1763683300000,
  Idempotency1763769500000,
  Pictures1763769600000,
  Cities1763856000000,
  Movies1763942300000,
  Notes1763942400000,
  Events1764028800000,
  Moderation1764115200000,
  HeldNotes1764115300000,
  TransferJobs1764201600000,
  Administration1764288000000,
  OwnNumbers1764374700000,
  RepairEdited1764374800000,
  ScheduledTasks1764530000000,
  RegisteredUids1764540000000,
  ModerationIndexes1764540100000,
  PasswordRevocations1764550000000,
  JobAttempts1764560000000,
  AdministratorsSearch1764560100000,
  WaitingApplications1764560200000,
  StandardNames1764570000000,
  AdvanceSequences1764580000000,
  BlockedContact1764590000000,
  EventSpans1764600000000,
  TagCounts1764600100000,
  ContentChanges1764620000000,
  StoredSearches1764630000000,
  BulkImports1764640000000,
  TagsOfBook1764650000000,
  ConfirmedSessions1764660000000,
  DeprecatedRequests1764665000000,
  ApplicationProfiles1764670000000,
  RequestStatistics1764720000000,
  CollectionCounts1764725000000,
  CoveringIndexes1764725000001,
  EventCounts1764725000002,
  MergedRecords1764730000000,
  UserBlocks1764731000000,
  TestKeys1764732000000,
  PageChanges1764733000000,
  CallerChanges1764734000000,
  ApplicationLogos1764735000000,
  StoredTagSearches1764736000000,
  CitySpans1764737000000,
  UnusedPictures1764739000000,
  SearchKeys1764740000000,
  ListCounts1764741000000,
  PictureRemovals1764742000000,
  LoggedSequences1764743000000,
  TestKeyLimits1764744000000,
  LargeCollectors1764745000000,
  SmallPictureSizes1764745300000,
  ParticipationLists1764746000000,
  LikedNoteLists1764747000000,
  SearchTrigrams1764748000000,
  EventListIndexes1764749000000,
  InitialIdsOfImports1764750000000,
  ImportJobParts1764751000000,
  UsesOfDeletedTexts1764752000000,
  WordsOfQueue1764753000000,
  ConflictingUsers1764754000000,
  ConflictingRecords1764755000000,
  FileVersionsOfJobParts1764756000000,
  DeletedPictures1764757000000,
  LostConnectionsOfJobs1764758000000,
  GrantChanges1764759000000,
];
