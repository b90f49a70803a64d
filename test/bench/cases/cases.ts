import { type Case, type Context } from './case';
import { listCases } from './list-cases';
import { recordCases } from './record-cases';
import { searchCases } from './search-cases';
import { writeCases } from './write-cases';

/** All cases. Records by id come first, because other cases read the records of the cold case. */
export const casesOf = (context: Context): Case[] => [
  ...recordCases(context),
  ...listCases(context),
  ...writeCases(context),
  ...searchCases(context),
];
