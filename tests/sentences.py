"""A few sentences of our own, enough to learn tiny vocabularies from."""

ENGLISH = """
The old lighthouse stands on a rock above the harbour.
Every evening the keeper climbs its ninety-nine steps.
She lights the lamp, winds the clock and writes in her book.
"Calm sea, wind from the west," she writes on Monday.
On Tuesday two small boats come home before the storm.
The keeper counts them twice; one boat is still missing.
Children run to the harbour with lanterns in their hands.
At ten o'clock the last boat turns around the rock.
Nobody sleeps much that night, but everybody is safe.
In the morning the sea is as flat as a table.
The keeper sleeps until noon and dreams of nothing at all.
A letter has come: the lamp will be electric next year.
She reads it, puts it in the stove and makes tea.
""".strip().splitlines()

GERMAN = """
Der alte Leuchtturm steht auf einem Felsen über dem Hafen.
Jeden Abend steigt die Wärterin seine neunundneunzig Stufen hinauf.
Sie zündet die Lampe an, zieht die Uhr auf und schreibt in ihr Buch.
"Ruhige See, Wind aus Westen", schreibt sie am Montag.
Am Dienstag kommen zwei kleine Boote vor dem Sturm nach Hause.
Die Wärterin zählt sie zweimal; ein Boot fehlt noch.
Kinder laufen mit Laternen in den Händen zum Hafen.
Um zehn Uhr biegt das letzte Boot um den Felsen.
Niemand schläft viel in dieser Nacht, aber alle sind in Sicherheit.
Am Morgen ist die See so flach wie ein Tisch.
Die Wärterin schläft bis zum Mittag und träumt von gar nichts.
Ein Brief ist gekommen: Nächstes Jahr wird die Lampe elektrisch.
Sie liest ihn, steckt ihn in den Ofen und kocht Tee.
""".strip().splitlines()
