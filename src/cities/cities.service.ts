import { Injectable } from '@nestjs/common';
import { CitiesRepository, type CityKey } from './cities.repository';

@Injectable()
export class CitiesService {
  constructor(private readonly cities: CitiesRepository) {}

  /** A city by id, uid or name; undefined for one that is unknown (D37, D39). */
  find(name: string): Promise<CityKey | undefined> {
    return this.cities.byName(name);
  }
}
