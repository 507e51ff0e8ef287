"""Sentences of other languages are known, English with errors stays English."""

from __future__ import annotations

import pytest

from permend.documents import is_foreign

FOREIGN = {
    "de": """
        Gestern bin ich mit meinem Bruder in die Stadt gefahren.
        Wir haben den ganzen Tag im Garten gearbeitet.
        Kannst du mir bitte sagen, wo der Bahnhof ist?
        Das Wetter war nicht so gut, aber es hat uns trotzdem gefallen.
        Die Kinder spielen auf der Straße.
    """,
    "fr": """
        Hier, je suis allé au marché avec ma sœur.
        Nous avons mangé du pain et du fromage dans le jardin.
        Où est la gare, s'il vous plaît ?
        C'est la vie, mais il ne faut pas pleurer.
        Les enfants jouent dans la rue.
    """,
    "es": """
        Ayer fui al mercado con mi hermana.
        ¿Dónde está la estación de tren?
        No me gusta la leche, pero tomo café todos los días.
        Los niños juegan en la calle.
        Creo que el libro es muy interesante.
    """,
    "it": """
        Ieri sono andato al mercato con mia sorella.
        Non mi piace il latte, ma bevo il caffè ogni giorno.
        Dove si trova la stazione?
        I bambini giocano nella strada della scuola.
        Questo libro è molto interessante.
    """,
    "pt": """
        Ontem eu fui ao mercado com a minha irmã.
        Não gosto de leite, mas bebo café todos os dias.
        Onde fica a estação de comboios?
        As crianças estão a brincar na rua.
        Este livro é muito interessante para os alunos.
    """,
    "nl": """
        Gisteren ben ik met mijn broer naar de stad gegaan.
        Kun je mij zeggen waar het station is?
        Het weer was niet zo goed, maar we hebben het leuk gehad.
        De kinderen spelen op straat met een bal.
        Ik weet niet wat ik moet doen.
    """,
    "sv": """
        Igår åkte jag till stan med min bror.
        Kan du säga mig var stationen är?
        Det var inte så bra väder, men vi hade roligt.
        Barnen leker på gatan utanför huset.
        Jag vet inte vad jag ska göra.
    """,
    "pl": """
        Wczoraj poszedłem na rynek z moją siostrą.
        Nie wiem, co mam teraz zrobić.
        Gdzie jest dworzec, proszę pana?
        Dzieci bawią się na ulicy przed domem.
        To jest bardzo ciekawa książka.
    """,
    "tr": """
        Dün kız kardeşim ile pazara gittim.
        Ne yapacağımı bilmiyorum ama çok mutluyum.
        Bu kitap çok ilginç bir kitap.
        Çocuklar sokakta oynuyor ve gülüyor.
        İstasyon nerede, bana söyler misin?
    """,
    "id": """
        Kemarin saya pergi ke pasar dengan adik saya.
        Saya tidak tahu apa yang harus saya lakukan.
        Buku ini sangat menarik untuk anak-anak.
        Di mana stasiun kereta itu?
        Anak-anak bermain di jalan karena hari ini libur.
    """,
    "other scripts": """
        Вчера я ходил на рынок с сестрой.
        昨日は妹と市場に行きました。
        어제 여동생과 시장에 갔어요.
        ذهبت أمس إلى السوق مع أختي.
        Χθες πήγα στην αγορά με την αδελφή μου.
    """,
}
ENGLISH = """
    He go in the scool yesterday whit his frend.
    i am realy happy becouse my famili come to me
    I lik to pley futball on the wekend.
    My favourite restaurants are El Bulli, La Table and Die Quelle.
    He said "C'est la vie" and left the room.
    Dear Müller, I met Señor García and Frau Weiß in São Paulo.
    Me no like this son, war is bad.
    De la Cruz, Van der Berg, Di Maria
    Bon appétit!
    Café de Flore
    J. M. Keynes and M. de Montaigne
    The crème brûlée, the jalapeños and the soufflé was delicious.
    Ok
    12 + 3 = 15
    On me die
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


@pytest.mark.parametrize("language", FOREIGN)
def test_sentences_of_other_languages_are_known(language: str) -> None:
    missed = [sentence for sentence in lines(FOREIGN[language]) if not is_foreign(sentence)]
    assert len(missed) <= 1, missed


@pytest.mark.parametrize("sentence", lines(ENGLISH))
def test_english_with_errors_names_and_quotations_is_english(sentence: str) -> None:
    assert not is_foreign(sentence)


def test_the_language_to_correct_can_be_another() -> None:
    assert not is_foreign("Gestern bin ich mit meinem Bruder in die Stadt gefahren.", "de")
    assert is_foreign("Yesterday I went to the city with my brother.", "de")
    assert not is_foreign("Anything at all, in a language that is not known here.", "xx")
